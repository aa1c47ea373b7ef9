package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/clock"
)

// now is what the clock of the process shows: 0 until the run begins.
func (n *Node) now() clock.Time { return max(0, clock.Time(time.Since(n.begin)/n.cfg.Tick)) }

// until is how long it takes until an instant; false if it is too far away to wait for.
func (n *Node) until(t clock.Time) (d time.Duration, finite bool) {
	if t > clock.Time((1<<62)/n.cfg.Tick) {
		return 0, false
	}
	return time.Until(n.begin.Add(time.Duration(t) * n.cfg.Tick)), true
}

// at has f called at an instant, unless the run is over by then. The caller is one of the programs, or keeps
// them from being waited for.
func (n *Node) at(t clock.Time, f func()) {
	d, finite := n.until(t)
	if !finite {
		return
	}
	n.programs.Go(func() {
		select {
		case <-time.After(d):
			f()
		case <-n.over:
		}
	})
}
