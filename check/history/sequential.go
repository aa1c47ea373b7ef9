package history

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// SequentiallyConsistent holds if all operations could have been done one after the other, those of each client in the order in which it asked for them (Lamport,
// "How to Make a Multiprocessor Computer That Correctly Executes Multiprocess Programs", 1979). Nothing is said of when they took effect: a read may return what was
// overwritten long ago, as long as its client has seen nothing newer. What is known to be linearizable is sequentially consistent.
//
// A rank that comes back is the client that it was. What it asked for in its former lives and saw return comes before what it asks for now.
//
// To find that there is no such order can take exponential time: the checker gives up after so many steps as Model.Limit says, and then claims nothing.
func SequentiallyConsistent[State comparable, In, Out any](h *History[In, Out], model Model[State, In, Out]) guarantee.Guarantee {
	return Rule[State, In, Out]{Name: "sequentially consistent", Fits: place[State, In, Out], Before: ofOneClient[In, Out]}.Guarantee(h, model)
}

// ofOneClient is which operation has to come before which.
func ofOneClient[In, Out any](a, b Operation[In, Out]) bool {
	return a.Rank == b.Rank && a.Client == b.Client && a.Before(b)
}

// place looks for an order of the operations in which those of each client are in its order.
func place[State comparable, In, Out any](p *Puzzle[State, In, Out]) bool {
	s := placing[State, In, Out]{
		Puzzle: p,
		front:  clients(p.Operations),
		states: make([]State, slices.Max(append(p.Parts, 0))+1),
		number: make(map[State]uint32),
		seen:   make(map[string]struct{}),
	}
	for part := range s.states {
		s.states[part] = p.Init()
	}
	return s.from(returned(p.Operations))
}

// clients has each operation wait for those of its client that had returned when it began. As these wait for others, the last of them will do.
func clients[In, Out any](all []Operation[In, Out]) *front {
	f := newFront(len(all))
	chains := make(map[[2]int][]int) // the operations of a client that have returned, in that order
	for i, o := range all {
		if !o.Pending() {
			client := [2]int{o.Rank, o.Client}
			chains[client] = append(chains[client], i)
		}
	}
	latest := make(map[[2]int][]int) // up to each of them, the one that began last
	for client, chain := range chains {
		slices.SortStableFunc(chain, func(i, j int) int {
			return cmp.Or(cmp.Compare(all[i].Returned, all[j].Returned), cmp.Compare(all[i].ended, all[j].ended))
		})
		for _, i := range chain {
			if so := latest[client]; len(so) > 0 {
				i = max(i, so[len(so)-1])
			}
			latest[client] = append(latest[client], i)
		}
	}
	for i, o := range all {
		client := [2]int{o.Rank, o.Client}
		chain := chains[client]
		formers := sort.Search(len(chain), func(n int) bool { return !all[chain[n]].Before(o) })
		for n := formers - 1; n >= 0 && !all[chain[n]].Before(all[latest[client][formers-1]]); n-- {
			f.wait(i, chain[n])
		}
		f.begin(i)
	}
	return f
}

// placing is a search for an order: depth first, never twice from where the same operations have led to the same states.
type placing[State comparable, In, Out any] struct {
	*Puzzle[State, In, Out]
	*front
	states []State // of each part
	number map[State]uint32
	seen   map[string]struct{}
	buffer []byte
}

// from places the rest, of which so many have returned.
func (s *placing[State, In, Out]) from(left int) bool {
	if left == 0 {
		return true
	}
	for i := range s.ready.all {
		state := &s.states[s.Parts[i]]
		former, pending := *state, s.Operations[i].Pending()
		next, ok := s.Step(former, i)
		if !ok || pending && next == former { // a pending operation may be left out, and is of use only if it changes something
			continue
		}
		s.place(i)
		*state = next
		if s.isNew() {
			rest := left
			if !pending {
				rest--
			}
			if s.from(rest) {
				return true
			}
		}
		*state = former
		s.takeBack(i)
	}
	return false
}

// isNew reports whether the search was never here before.
func (s *placing[State, In, Out]) isNew() bool {
	s.buffer = s.key(s.buffer[:0])
	for _, state := range s.states {
		number, met := s.number[state]
		if !met {
			number = uint32(len(s.number))
			s.number[state] = number
		}
		s.buffer = binary.LittleEndian.AppendUint32(s.buffer, number)
	}
	if _, seen := s.seen[string(s.buffer)]; seen {
		return false
	}
	s.seen[string(s.buffer)] = struct{}{}
	return true
}
