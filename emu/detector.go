package emu

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Detector describes a machine's failure detector: it is never wrong, and it takes time.
type Detector struct {
	// Delay is how long it takes until a failure is known. 0: there is no detector. It cannot
	// be shorter than the way of the shortest message, 2o+L.
	Delay clock.Time
	// Hangs says that ranks that hang are noticed like crashes, as by a detector that waits
	// for signs of life. One that watches connections does not notice them.
	Hangs bool
}

// problem says what is wrong with the detector on a machine, or "".
func (d Detector) problem(lookahead clock.Time) string {
	switch {
	case d.Delay == 0 && d.Hangs:
		return "emu: a detector notices hangs, but has no delay"
	case d.Delay != 0 && (d.Delay < lookahead || d.Delay > clock.MaxCost):
		return fmt.Sprintf("emu: detector delay = %d ticks, want 0 for none or %d (2o+L) to %d", d.Delay, lookahead, clock.MaxCost)
	}
	return ""
}

// detection is the failure detector at work.
//
// Ranks ask and fail while a window is open, in an order of chance. What they ask and how they
// end is gathered, and answered at the barrier: a delay is no shorter than a window, so no
// answer comes too late. What is known changes at barriers only.
type detection struct {
	known    map[int32]clock.Time // when each rank has failed
	watchers map[int32][]watch    // of ranks that have not failed, as far as is known
	purse    mailbox.Purse        // cells for notices

	mu     sync.Mutex // guards what follows
	asked  []watch
	fallen []fall
}

// watch is a call of Watch.
type watch struct {
	watcher, target int32
	at              clock.Time
}

// fall is a failure that a detector notices.
type fall struct {
	rank int32
	at   clock.Time
}

// reset forgets the last run.
func (d *detection) reset() {
	clear(d.known)
	clear(d.watchers)
	d.purse = mailbox.Purse{}
	d.asked, d.fallen = d.asked[:0], d.fallen[:0]
}

// Detector returns the rank's view of the machine's failure detector.
func (r *rank) Detector() protocols.Detector {
	if r.m.cfg.Detector.Delay == 0 {
		return nil
	}
	return (*detector)(r)
}

// detector is a rank as the user of its failure detector.
type detector rank

// Suspects reports what is known by now.
func (d *detector) Suspects(target int) bool {
	r := (*rank)(d)
	r.checkTarget("Suspects", target)
	r.spend()
	at, fell := r.m.detection.known[int32(target)]
	return fell && at+r.m.cfg.Detector.Delay <= r.now
}

// Watch asks for a notice.
func (d *detector) Watch(target int) {
	r := (*rank)(d)
	r.checkTarget("Watch", target)
	r.reach(r.now, callWatch)
	r.spend()
	known := &r.m.detection
	known.mu.Lock()
	defer known.mu.Unlock()
	known.asked = append(known.asked, watch{r.id, int32(target), r.now})
}

func (r *rank) checkTarget(call string, target int) {
	if uint(target) >= uint(len(r.m.ranks)) {
		panic(fmt.Sprintf("protocols: %s of rank %d, want 0 to %d", call, target, len(r.m.ranks)-1))
	}
}

// fell tells the detector of a rank with faults whose program has just ended, at t. A crash
// may follow if it has returned or hangs.
func (r *rank) fell(t clock.Time) {
	f, delay := r.extra.faults, r.m.cfg.Detector.Delay
	if !r.m.cfg.Detector.Hangs || r.state != hung {
		t = f.deadAt
	}
	switch {
	case delay == 0 || t == clock.Never:
		return
	case t == 0 && f.stopAt == 0:
		t = -delay // it was down before the run: that is known
	}
	d := &r.m.detection
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fallen = append(d.fallen, fall{r.id, t})
}

// notify answers what was asked and tells of what has happened in the last window.
func (m *Machine) notify() {
	d := &m.detection
	for _, f := range d.fallen {
		d.known[f.rank] = f.at
		for _, w := range d.watchers[f.rank] {
			m.tell(w, f.at)
		}
		delete(d.watchers, f.rank)
	}
	// The order in which ranks have asked is one of chance.
	slices.SortFunc(d.asked, func(a, b watch) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.watcher, b.watcher), cmp.Compare(a.target, b.target))
	})
	for _, w := range d.asked {
		if at, fell := d.known[w.target]; fell {
			m.tell(w, at)
		} else {
			d.watchers[w.target] = append(d.watchers[w.target], w)
		}
	}
	d.fallen, d.asked = d.fallen[:0], d.asked[:0]
}

// tell sends a notice. It is received like a message that nobody has sent.
func (m *Machine) tell(w watch, fell clock.Time) {
	arrival := max(w.at, fell) + m.cfg.Detector.Delay - m.costs.Overhead
	purse := &m.detection.purse
	if purse.Empty() {
		m.workers[0].shelf.Take(purse)
	}
	ref := purse.Pay(m.store)
	c := m.store.Put(ref, w.target, arrival, mailbox.Message{Kind: protocols.Failed})
	m.out.push(int(w.watcher), ref, c)
	m.workers[0].expect(arrival)
}
