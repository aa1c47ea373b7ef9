package search

import (
	"maps"
	"slices"
)

// A limited exploration ends after about so many runs ([ExploreOptions].Runs). Which parts are in it must not depend on who was faster: they are added in their
// order, until these are enough. Those that were begun beyond that are forgotten.
type limited struct {
	x       *explorer
	pending map[int]*Exploration // parts that are not added yet
	ended   map[int]bool         // those of them that have ended
	made    int64                // runs of all of them
	next    int                  // the part to be added next
}

// limit returns the book for an exploration, which is the explorer itself unless there is a limit.
func (x *explorer) limit() book {
	if x.options.Runs == 0 {
		return x
	}
	x.limited = &limited{x: x, pending: make(map[int]*Exploration), ended: make(map[int]bool)}
	return x.limited
}

// enough reports whether the parts that were begun come to as many runs as asked for. The caller holds the lock.
func (x *explorer) enough() bool {
	runs := x.result.Runs
	if x.limited != nil {
		runs += x.limited.made
	}
	return x.options.Runs > 0 && runs >= x.options.Runs
}

func (l *limited) open(part int, found *Exploration) (followers int) {
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	followers, known := l.x.result.Open[part] // of an exploration that is resumed
	l.pending[part] = newExploration(1)
	if !known {
		l.add(part, found)
	}
	return followers
}

func (l *limited) note(part, _ int, found *Exploration) {
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	l.add(part, found)
}

func (l *limited) add(part int, found *Exploration) {
	l.pending[part].merge(found)
	l.made += found.Runs
}

func (l *limited) lose(found *Exploration) { l.x.lose(found) }

// close ends a part, and adds all that have ended and come before those that have not.
func (l *limited) close(part int) {
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	l.ended[part] = true
	for ; l.next < len(l.x.result.Done) && l.x.result.Runs < l.x.options.Runs; l.next++ {
		if l.x.result.Done[l.next] {
			continue
		}
		if !l.ended[l.next] {
			return
		}
		l.take(l.next)
		l.x.done(l.next)
	}
}

// take adds a part to the result.
func (l *limited) take(part int) {
	l.made -= l.pending[part].Runs
	l.x.result.merge(l.pending[part])
	delete(l.pending, part)
}

// interrupt adds what was found so far, as it will not be found again.
func (l *limited) interrupt() {
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	for _, part := range slices.Sorted(maps.Keys(l.pending)) {
		l.take(part)
	}
}
