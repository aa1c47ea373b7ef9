package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/clock"
)

// now is what the clock of the process shows: 0 until the run begins.
func (n *Node) now() clock.Time { return max(0, clock.Time(n.elapsed()/n.cfg.Tick)) }

// elapsed is how long the run has been going on, below 0 before it begins.
func (n *Node) elapsed() time.Duration {
	if s := n.steered; s != nil {
		return s.elapsed()
	}
	return time.Since(n.begin)
}

// clockError is by how much the clock of the process has been wrong at most while ranks could see it.
func (n *Node) clockError() time.Duration {
	if s := n.steered; s != nil {
		return s.worst()
	}
	return n.readingError
}

// alarm goes off at an instant, or never if that is too far away to wait for.
func (n *Node) alarm(t clock.Time) <-chan time.Time {
	if t > clock.Time((1<<62)/n.cfg.Tick) {
		return nil
	}
	return time.After(time.Duration(t)*n.cfg.Tick - n.elapsed())
}

// sleepUntil waits for an instant; false if the run is over before.
func (n *Node) sleepUntil(t clock.Time) bool {
	for {
		select {
		case <-n.alarm(t):
			if n.now() >= t { // a clock that is steered goes more slowly now and then
				return true
			}
		case <-n.over:
			return false
		}
	}
}
