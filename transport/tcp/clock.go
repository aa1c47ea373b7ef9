package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/clock"
)

// now is what the clock of the process shows: 0 until the run begins.
func (n *Node) now() clock.Time { return max(0, clock.Time(time.Since(n.begin)/n.cfg.Tick)) }

// alarm goes off at an instant, or never if that is too far away to wait for.
func (n *Node) alarm(t clock.Time) <-chan time.Time {
	if t > clock.Time((1<<62)/n.cfg.Tick) {
		return nil
	}
	return time.After(time.Until(n.begin.Add(time.Duration(t) * n.cfg.Tick)))
}

// sleepUntil waits for an instant; false if the run is over before.
func (n *Node) sleepUntil(t clock.Time) bool {
	select {
	case <-n.alarm(t):
		return true
	case <-n.over:
		return false
	}
}
