package guarantee

import "github.com/mangrove-emu/mangrove/clock"

// Mark is a part of a run that a verdict is about, so that a page can show it: what a rank did from one instant to another.
type Mark struct {
	Rank int        `json:"rank"`
	From clock.Time `json:"from"`
	To   clock.Time `json:"to"` // not before From; clock.Forever if it never ended
	Text string     `json:"text"`
	// Guilty is set for what is wrong; other marks are what it is wrong with.
	Guilty bool `json:"guilty,omitempty"`
}
