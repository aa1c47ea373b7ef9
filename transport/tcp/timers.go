package tcp

import (
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
)

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
