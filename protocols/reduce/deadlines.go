package reduce

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
)

// longest is the latest deadline there can be, in ticks after the beginning. Sums of a few
// of these do not overflow.
const longest = clock.Forever / 4

// deadlines say until when to wait, in ticks after the beginning of the operation.
//
// Invariants:
//  1. whatever a rank that has not failed sends before one of its deadlines is received
//     before the receiver's next one, if neither is slower than the machine;
//  2. at the last deadline, no message is under way and all ports are free.
type deadlines struct {
	exchange clock.Time // all values of mates are there
	level    clock.Time // from one level of the trees to the one above
	height   int        // how many levels there are below the first
	last     clock.Time // all subtrees have reported to the root
}

// newDeadlines computes them for trees of the given shape and payloads of that length.
//
// Ports serve messages in the order of arrival. If up to k messages go to one rank and the
// last of them starts at t, all have arrived at t + o + stretch + L, and all have left the
// port, at most, k times its spacing later.
func newDeadlines(machine clock.LogP, l *layout, s shape, bytes int) (deadlines, error) {
	costs := machine.Costs()
	spacing, stretch := costs.Spacing, min(costs.Stretch(bytes), longest)
	step := func(messages int) clock.Time {
		return machine.Overhead + stretch + machine.Latency + spacing.Times(messages)
	}
	d := deadlines{height: s.height, level: step(s.degree)}
	// The root sends the most, one value to each subtree. A rank may get values of two
	// groups and of the root, except for its own, and children may report early.
	sending := (spacing + stretch).Times(l.width - 1)
	d.exchange = sending + step(l.width+l.rest+s.degree)
	d.last = d.ofDepth(0) + step(l.width)
	if d.last >= longest {
		return d, fmt.Errorf("the deadline is more than %d ticks away; want a lower redundancy, "+
			"fewer bytes or a faster machine", longest)
	}
	return d, nil
}

// ofDepth is until when a rank at that depth waits for its children.
func (d *deadlines) ofDepth(depth int) clock.Time {
	return d.exchange + d.level.Times(d.height-depth)
}
