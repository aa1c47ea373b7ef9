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

// curves count by bins of Width ticks. Coloured and Down are changes until all is counted.
type curves struct {
	curveColumns
	failed map[int]bool
}

func newCurves(rep *report.Report, end clock.Time) *curves {
	width := end/maxBins + 1
	bins := int(end/width) + 1
	empty := func() column { return make(column, bins) }
	c := &curves{curveColumns{int64(width), bins, empty(), empty(), empty(), empty(), empty()}, make(map[int]bool)}
	for i := range rep.Ranks {
		if at := rep.Ranks[i].Coloured; at != clock.Never {
			c.Coloured[c.bin(at)]++
		}
	}
	return c
}

// bin is which point an instant belongs to. What comes after the end counts as its last.
func (c *curves) bin(at clock.Time) int {
	return int(min(int64(at)/c.Width, int64(c.Points-1)))
}

// turn counts ranks that are down. One that hangs and crashes afterwards counts once.
func (c *curves) turn(e *report.Event) {
	switch e.Kind {
	case report.EventCrash, report.EventHang:
		if !c.failed[e.Rank] {
			c.failed[e.Rank] = true
			c.Down[c.bin(e.Time)]++
		}
	case report.EventRejoin:
		if c.failed[e.Rank] {
			delete(c.failed, e.Rank)
			c.Down[c.bin(e.Time)]--
		}
	}
}

func (c *curves) data() curveColumns {
	c.Coloured.addUp()
	c.Down.addUp()
	return c.curveColumns
}

// addUp adds to each number all before it.
func (c column) addUp() {
	for i := 1; i < len(c); i++ {
		c[i] += c[i-1]
	}
}
