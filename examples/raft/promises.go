package raft

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// Promises are what raft promises whatever happens, in the words of its paper (figure 3), checked against all that the ranks have seen in all of their lives.
func Promises(seen []Seen) []guarantee.Guarantee {
	var all []guarantee.Guarantee
	for _, promise := range []struct {
		name  string
		check func([]Seen) error
	}{
		{"one leader a term", oneLeader},
		{"logs match", logsMatch},
		{"leaders have what is committed", complete},
		{"all apply the same", sameApplied},
	} {
		all = append(all, guarantee.Func(promise.name, false, func(guarantee.Run) (bool, string) {
			if err := promise.check(seen); err != nil {
				return false, err.Error()
			}
			return true, "they do"
		}))
	}
	return all
}

// oneLeader is election safety: a term has one leader at most. A leader that comes back is one again only in another term.
func oneLeader(seen []Seen) error {
	leaders := make(map[uint64]int)
	for rank := range seen {
		for _, led := range seen[rank].Led {
			if other, already := leaders[led.Term]; already {
				return fmt.Errorf("term %d has leaders %d and %d", led.Term, other, rank)
			}
			leaders[led.Term] = rank
		}
	}
	return nil
}

// logsMatch is the log matching property: entries of one index and term are the same, and so are those before them.
func logsMatch(seen []Seen) error {
	known := make(map[Place]Entry)
	for rank := range seen {
		for _, place := range slices.SortedFunc(maps.Keys(seen[rank].Entries), inOrder) {
			entry := seen[rank].Entries[place]
			if other, already := known[place]; already && other != entry {
				return fmt.Errorf("entry %d of term %d is %q after one of term %d, and %q after one of term %d",
					place.Index, place.Term, other.Content, other.Before, entry.Content, entry.Before)
			}
			known[place] = entry
		}
	}
	return nil
}

// inOrder has the same found first each time.
func inOrder(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Term, b.Term))
}

// complete is leader completeness: what is committed in a term is in the logs of the leaders of all later terms.
func complete(seen []Seen) error {
	for _, rank := range applied(seen) {
		for leader := range seen {
			for _, led := range seen[leader].Led {
				if led.Term > rank.In && !led.has(rank.Place) {
					return fmt.Errorf("%v was taken for committed in term %d, and rank %d, the leader of term %d, does not have it", rank, rank.In, leader, led.Term)
				}
			}
		}
	}
	return nil
}

// has reports whether an entry is in the log. Of those that are in its snapshot only the last one is known.
func (l *Led) has(p Place) bool {
	if p.Index <= l.First {
		return true
	}
	i := p.Index - l.First - 1
	return i < uint64(len(l.Terms)) && l.Terms[i] == p.Term
}

// sameApplied is state machine safety: nobody applies something else at an index than others, or than itself in another life, and it leads to the same.
func sameApplied(seen []Seen) error {
	known, states := make(map[uint64]Applied), make(map[uint64]uint64)
	for rank := range seen {
		if len(seen[rank].Twice) > 0 {
			return fmt.Errorf("rank %d has applied %s", rank, seen[rank].Twice[0])
		}
		for _, index := range slices.Sorted(maps.Keys(seen[rank].Applied)) {
			own := seen[rank].Applied[index]
			if other, already := known[index]; already && (other.Place != own.Place || other.Content != own.Content) {
				return fmt.Errorf("rank %d has applied %v, and another %v", rank, own, other)
			}
			known[index] = own
		}
		for _, index := range slices.Sorted(maps.Keys(seen[rank].States)) {
			state := seen[rank].States[index]
			if other, already := states[index]; already && other != state {
				return fmt.Errorf("rank %d has another state than others after %v", rank, known[index])
			}
			states[index] = state
		}
	}
	return nil
}

// applied lists what anybody has applied, by rank and index.
func applied(seen []Seen) (all []Applied) {
	for rank := range seen {
		for _, index := range slices.Sorted(maps.Keys(seen[rank].Applied)) {
			all = append(all, seen[rank].Applied[index])
		}
	}
	return all
}
