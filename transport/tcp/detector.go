package tcp

import (
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// detectorState is what a process knows of failures, and which of its ranks want to hear of more.
type detectorState struct {
	offered bool

	mu       sync.Mutex
	known    failureList
	watchers map[int][]int // ranks here that watch a rank
	nexts    map[int][]int // ranks here that wait for the n-th failure
}

// init begins with what is known from the start.
func (d *detectorState) init(s *start) {
	d.offered, d.known = s.Detector, s.Failures
	d.watchers, d.nexts = make(map[int][]int), make(map[int][]int)
}

// learn tells the ranks here of a failure.
func (n *Node) learn(rank int) {
	d := &n.detector
	d.mu.Lock()
	defer d.mu.Unlock()
	number := len(d.known.Ranks)
	told := slices.Concat(d.watchers[rank], d.nexts[number])
	delete(d.watchers, rank)
	delete(d.nexts, number)
	d.known.add(rank)
	for _, watcher := range told {
		n.notify(watcher, rank)
	}
}

// notify gives a rank here the notice that it has asked for.
func (n *Node) notify(watcher, failed int) {
	n.local(watcher).box.receiveNotice(letter{from: failed, at: n.now(), msg: mailbox.Message{Kind: protocols.Failed}})
}

// trust says that a rank is back.
func (d *detectorState) trust(rank int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known.trust(rank)
}

// forget drops what a rank has asked for in a former life.
func (d *detectorState) forget(rank int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, asked := range []map[int][]int{d.watchers, d.nexts} {
		for key, ranks := range asked {
			asked[key] = slices.DeleteFunc(ranks, func(r int) bool { return r == rank })
		}
	}
}

// Detector returns the rank's view of the job's failure detector.
func (r *rank) Detector() protocols.Detector {
	if !r.node.detector.offered {
		return nil
	}
	return (*detector)(r)
}

// detector is a rank as the user of its failure detector.
type detector rank

// look returns what is known of failures, locked, unless the rank has failed itself.
func (d *detector) look() *detectorState {
	(*rank)(d).alive()
	state := &d.node.detector
	state.mu.Lock()
	return state
}

// Suspects reports what is known of a rank by now.
func (d *detector) Suspects(target int) bool {
	state := d.look()
	defer state.mu.Unlock()
	protocols.CheckTarget("Suspects", target, d.node.cfg.Ranks)
	return state.known.Suspected[target]
}

// Known reports what is known of the n-th failure by now.
func (d *detector) Known(n int) (rank int, ok bool) {
	state := d.look()
	defer state.mu.Unlock()
	protocols.CheckNumber("Known", n)
	if n >= len(state.known.Ranks) {
		return 0, false
	}
	return state.known.Ranks[n], true
}

// Failures counts those of a rank among the first of the list. It tells nothing new, so that a rank may ask when the run is over.
func (d *detector) Failures(target, among int) (count int) {
	state := &d.node.detector
	state.mu.Lock()
	defer state.mu.Unlock()
	protocols.CheckTarget("Failures", target, d.node.cfg.Ranks)
	protocols.CheckNumber("Failures", among)
	for _, rank := range state.known.Ranks[:min(among, len(state.known.Ranks))] {
		if rank == target {
			count++
		}
	}
	return count
}

// Watch asks for a notice of a rank's failure.
func (d *detector) Watch(target int) {
	state := d.look()
	defer state.mu.Unlock()
	protocols.CheckTarget("Watch", target, d.node.cfg.Ranks)
	if state.known.Suspected[target] {
		d.node.notify(d.id, target)
		return
	}
	state.watchers[target] = append(state.watchers[target], d.id)
}

// WatchNext asks for a notice of the n-th failure.
func (d *detector) WatchNext(n int) {
	state := d.look()
	defer state.mu.Unlock()
	protocols.CheckNumber("WatchNext", n)
	if n < len(state.known.Ranks) {
		d.node.notify(d.id, state.known.Ranks[n])
		return
	}
	state.nexts[n] = append(state.nexts[n], d.id)
}
