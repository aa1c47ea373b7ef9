package tcp

import (
	"net"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
)

// watch is how ranks that wait look for messages themselves, for a while, before they sleep.
//
// To be woken takes several times as long as a message does: the kernel wakes a thread, that wakes the goroutine which reads from the
// connection, and that wakes the rank. So a rank whose message may come at any moment asks the kernel again and
// again, as MPI libraries do. Unlike them it does so only where each rank can have a processor for itself, and only if it is likely
// to be worth it: the last message was waited for no longer than it would watch. Between two looks others may have the processor. If
// they keep it, watching does harm, and is tried less and less often.
type watch struct {
	allowed bool
	heard   atomic.Pointer[intake] // over which the last message has come
	taken   atomic.Bool            // a rank of this process watches

	// What only the rank touches that watches.
	vain  int // how much more often it was in vain than not
	leave int // how many chances to leave out for that
}

const (
	// watchTime is how long a rank watches at most. An answer takes a fifth of that if the other side watches, too, and more than half
	// if it has to be woken.
	watchTime = 100 * time.Microsecond
	// mostVain limits how many chances are left out: 2^mostVain.
	mostVain = 10
)

// mayWatch reports whether each rank on this host can have a processor for itself.
func (n *Node) mayWatch(peers []peer) bool {
	here := 0
	for _, p := range peers {
		if sameHost(p.Address, n.address) {
			here += len(n.layout.of(p.Process))
		}
	}
	return canWatch && here <= runtime.GOMAXPROCS(0)
}

// sameHost reports whether two addresses have the same host.
func sameHost(a, b string) bool {
	one, _, _ := net.SplitHostPort(a)
	other, _, _ := net.SplitHostPort(b)
	return one == other
}

// watch looks for messages for a while, but no longer than until an instant. It returns false if the rank has to sleep.
func (r *rank) watch(began time.Time, until clock.Time) bool {
	w := &r.node.watch
	if !w.allowed || r.waited > watchTime || !w.taken.CompareAndSwap(false, true) {
		return false
	}
	defer w.taken.Store(false)
	in := w.heard.Load()
	if in == nil {
		return false
	}
	if w.leave > 0 {
		w.leave--
		return false
	}
	in.socket.hush()
	defer in.socket.unhush()
	for in.look() {
		switch {
		case len(r.box.signal) > 0:
			w.vain = max(0, w.vain-1)
			return true
		case r.look() >= until:
			return true
		case time.Since(began) >= watchTime:
			w.vain = min(mostVain, w.vain+1)
			w.leave = 1 << w.vain
			return false
		}
		yield()
	}
	w.heard.CompareAndSwap(in, nil)
	return false
}
