package draw

import (
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
)

// Points is where in a run something may happen. Not every run gets everywhere.
type Points struct {
	Calls int        // up to which send, and which receive
	Until clock.Time // up to when
	Steps []string   // at which steps; none for nil
}

// point draws one of them.
func (p Points) point(t *rapid.T) faults.Point {
	anchors := []string{"time", "before send", "in send", "after send", "receive", "step"}
	if len(p.Steps) == 0 {
		anchors = anchors[:len(anchors)-1]
	}
	nth := rapid.IntRange(1, p.Calls)
	switch rapid.SampledFrom(anchors).Draw(t, "point") {
	case "before send":
		return faults.BeforeNthSend(nth.Draw(t, "send"))
	case "in send":
		return faults.DuringNthSend(nth.Draw(t, "send"))
	case "after send":
		return faults.AfterNthSend(nth.Draw(t, "send"))
	case "receive":
		return faults.OnNthRecv(nth.Draw(t, "receive"))
	case "step":
		return faults.OnStep(rapid.SampledFrom(p.Steps).Draw(t, "step"), 1)
	}
	return faults.OnTime(Ticks(t, "at", 0, int(p.Until)))
}

// Failures lets these ranks crash or hang, each at one of the points.
func (p Points) Failures(t *rapid.T, ranks []int) faults.Schedule {
	var s faults.Schedule
	for _, rank := range ranks {
		kind := rapid.SampledFrom([]faults.Kind{faults.Crash, faults.Hang}).Draw(t, "kind")
		s = append(s, faults.Fault{Kind: kind, Rank: rank, At: p.point(t)})
	}
	return s
}

// Slow lets some of so many ranks be slow, each from one of the points on.
func (p Points) Slow(t *rapid.T, ranks int) faults.Schedule {
	var s faults.Schedule
	for _, rank := range Some(t, "slow", ranks, 6) {
		factor := rapid.IntRange(2, 30).Draw(t, "factor")
		s = append(s, faults.Fault{Kind: faults.Slow, Rank: rank, Factor: factor, At: p.point(t)})
	}
	return s
}
