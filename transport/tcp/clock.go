package tcp

import (
	"sync"
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

// timers are what is to happen at instants of a run, unless it is over by then.
type timers struct {
	mu      sync.Mutex
	all     []*time.Timer
	stopped bool
}

// at has f called at an instant.
func (n *Node) at(t clock.Time, f func()) {
	d, finite := n.until(t)
	n.timers.mu.Lock()
	defer n.timers.mu.Unlock()
	if finite && !n.timers.stopped {
		n.timers.all = append(n.timers.all, time.AfterFunc(d, f))
	}
}

// stop lets nothing more happen.
func (t *timers) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	for _, timer := range t.all {
		timer.Stop()
	}
}
