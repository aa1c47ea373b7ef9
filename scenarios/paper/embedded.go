package paper

import (
	"embed"
	"fmt"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

//go:embed campaigns/*.toml
var files embed.FS

// must is for what cannot go wrong with the campaigns and lines of this package.
func must[T any](value T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("paper: %v", err))
	}
	return value
}

// readCampaign reads a campaign of this package in some size.
func readCampaign(name string, size campaign.Size) (*campaign.Campaign, error) {
	text, err := files.ReadFile("campaigns/" + name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("paper: there is no campaign %q", name)
	}
	c := must(campaign.Parse(catalog.All(), string(text)))
	if size == campaign.Quick && c.Quick == 0 {
		return c, nil // it is quick anyway
	}
	return c.Resize(size)
}
