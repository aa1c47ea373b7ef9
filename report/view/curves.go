package view

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// maxBins is how many points a curve has at most, about as many as there are pixels.
const maxBins = 1000

// curveColumns are what all ranks did over time: point i is about the ticks from i times Width on, up to
// the next point.
type curveColumns struct {
	Width    int64  `json:"width"`
	Points   int    `json:"points"`
	Sent     column `json:"sent"`     // sends begun
	Received column `json:"received"` // receives ended
	Lost     column `json:"lost"`     // messages lost at crashed ranks or on cut links
	Coloured column `json:"coloured"` // ranks coloured by the end of those ticks
	Down     column `json:"down"`     // ranks that were crashed or hung then
}

// curves count by bins of width ticks.
type curves struct {
	width                              clock.Time
	sent, received, lost, colour, down column // the last two as changes
	failed                             map[int]bool
}

func newCurves(rep *report.Report, end clock.Time) *curves {
	c := &curves{width: end/maxBins + 1, failed: make(map[int]bool)}
	bins := end/c.width + 1
	for _, curve := range []*column{&c.sent, &c.received, &c.lost, &c.colour, &c.down} {
		*curve = make(column, bins)
	}
	for i := range rep.Ranks {
		if at := rep.Ranks[i].Coloured; at != clock.Never {
			c.colour[c.bin(at)]++
		}
	}
	return c
}

// bin is which point an instant belongs to. What comes after the end counts as its last.
func (c *curves) bin(at clock.Time) clock.Time {
	return min(at/c.width, clock.Time(len(c.sent)-1))
}

// turn counts ranks that are down. One that hangs and crashes afterwards counts once.
func (c *curves) turn(e *report.Event) {
	switch e.Kind {
	case report.EventCrash, report.EventHang:
		if !c.failed[e.Rank] {
			c.failed[e.Rank] = true
			c.down[c.bin(e.Time)]++
		}
	case report.EventRejoin:
		if c.failed[e.Rank] {
			delete(c.failed, e.Rank)
			c.down[c.bin(e.Time)]--
		}
	}
}

func (c *curves) data() curveColumns {
	return curveColumns{int64(c.width), len(c.sent), c.sent, c.received, c.lost, c.colour.sums(), c.down.sums()}
}

// sums are the numbers added up.
func (c column) sums() column {
	total := int64(0)
	s := make(column, len(c))
	for i, v := range c {
		total += v
		s[i] = total
	}
	return s
}
