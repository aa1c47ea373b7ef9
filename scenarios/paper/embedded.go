package paper

import (
	"embed"
	"fmt"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

//go:embed campaigns/*.toml
var files embed.FS

// Size says how many runs there are.
type Size = campaign.Size

// Sizes, from the smallest.
const (
	Quick = campaign.Quick // less than a minute
	Usual = campaign.Usual // enough to compare with the paper
	Full  = campaign.Full  // as many as in the paper
)

// Campaign returns a campaign of this package in some size.
func Campaign(name string, size Size) (*campaign.Campaign, error) {
	text, err := files.ReadFile("campaigns/" + name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("paper: there is no campaign %q", name)
	}
	c, err := campaign.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("paper: %s: %w", name, err)
	}
	if size == Quick && c.Quick == 0 {
		return c, nil // it is quick anyway
	}
	return c.Resize(size)
}
