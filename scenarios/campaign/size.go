package campaign

import "fmt"

// Size says how many runs of each point there are.
type Size int

// Sizes, from the smallest. A campaign need not have all of them.
const (
	Quick Size = iota - 1 // for a first look
	Usual
	Full // as many as one could wish for
)

// sizeNames are the words for sizes.
var sizeNames = map[Size]string{Quick: "quick", Usual: "usual", Full: "full"}

// String is the word for a size.
func (s Size) String() string { return sizeNames[s] }

// Suffix tells the files of different sizes apart.
func (s Size) Suffix() string {
	if s == Usual {
		return ""
	}
	return "-" + s.String()
}

// Resize returns the campaign in another size.
func (c *Campaign) Resize(s Size) (*Campaign, error) {
	runs := map[Size]int{Quick: c.Quick, Usual: c.Runs, Full: c.Full}[s]
	if runs == 0 {
		return nil, fmt.Errorf("campaign: %s does not say how many runs are %s, want a line such as %s = 10", c.Name, s, s)
	}
	other := *c
	other.Runs = runs
	if other.Jobs() > MaxRuns {
		return nil, fmt.Errorf("campaign: %s = %d runs of %d points, want up to %d in all", s, runs, c.Points(), MaxRuns)
	}
	return &other, nil
}
