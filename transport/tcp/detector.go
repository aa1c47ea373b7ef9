package tcp

import (
	"fmt"
	"slices"
	"sync"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// detectorState is what a process knows of failures. The coordinator decides in which order they
// become known, so that all processes have the same list, or the beginning of it.
type detectorState struct {
	offered bool

	mu        sync.Mutex
	failures  []int         // ranks, in the order in which they became known
	suspected map[int]bool  // those that have not come back
	watchers  map[int][]int // ranks here that watch a rank
	nexts     map[int][]int // ranks here that wait for the n-th failure
}

// init begins with what is known from the start.
func (d *detectorState) init(s *start) {
	d.offered = s.Detector
	d.failures, d.suspected = slices.Clone(s.Failed), make(map[int]bool)
	d.watchers, d.nexts = make(map[int][]int), make(map[int][]int)
	for _, rank := range s.Failed {
		d.suspected[rank] = true
	}
	for _, rank := range s.Present {
		delete(d.suspected, rank)
	}
}

// learn tells the ranks here of a failure.
func (n *Node) learn(rank int) {
	d := &n.detector
	d.mu.Lock()
	told := slices.Concat(d.watchers[rank], d.nexts[len(d.failures)])
	delete(d.watchers, rank)
	delete(d.nexts, len(d.failures))
	d.failures = append(d.failures, rank)
	d.suspected[rank] = true
	d.mu.Unlock()
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
	delete(d.suspected, rank)
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

func asRank(d *detector) *rank { return (*rank)(d) }

// Suspects reports what is known of a rank by now.
func (d *detector) Suspects(target int) bool {
	n := d.look("Suspects", target)
	n.detector.mu.Lock()
	defer n.detector.mu.Unlock()
	return n.detector.suspected[target]
}

// Known reports what is known of the n-th failure by now.
func (d *detector) Known(number int) (rank int, ok bool) {
	asRank(d).alive()
	checkNumber("Known", number)
	det := &d.node.detector
	det.mu.Lock()
	defer det.mu.Unlock()
	if number >= len(det.failures) {
		return 0, false
	}
	return det.failures[number], true
}

// Watch asks for a notice of a rank's failure.
func (d *detector) Watch(target int) {
	n := d.look("Watch", target)
	n.detector.mu.Lock()
	suspected := n.detector.suspected[target]
	if !suspected {
		n.detector.watchers[target] = append(n.detector.watchers[target], d.id)
	}
	n.detector.mu.Unlock()
	if suspected {
		n.notify(d.id, target)
	}
}

// WatchNext asks for a notice of the n-th failure.
func (d *detector) WatchNext(number int) {
	asRank(d).alive()
	checkNumber("WatchNext", number)
	det := &d.node.detector
	det.mu.Lock()
	known := number < len(det.failures)
	failed := 0
	if known {
		failed = det.failures[number]
	} else {
		det.nexts[number] = append(det.nexts[number], d.id)
	}
	det.mu.Unlock()
	if known {
		d.node.notify(d.id, failed)
	}
}

// look makes sure that the rank lives and the target exists.
func (d *detector) look(call string, target int) *Node {
	asRank(d).alive()
	if uint(target) >= uint(d.node.cfg.Ranks) {
		panic(fmt.Sprintf("protocols: %s of rank %d, want 0 to %d", call, target, d.node.cfg.Ranks-1))
	}
	return d.node
}

func checkNumber(call string, n int) {
	if n < 0 {
		panic(fmt.Sprintf("protocols: %s of failure %d, want 0 or more", call, n))
	}
}
