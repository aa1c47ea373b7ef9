package history

import (
	"encoding/binary"
	"slices"

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
	return Rule[State, In, Out]{Name: "sequentially consistent", Fits: func(p *Puzzle[State, In, Out]) bool {
		return place(p, func(a, b Operation[In, Out]) bool { return a.Rank == b.Rank && a.Client == b.Client && a.Before(b) })
	}}.Guarantee(h, model)
}

// place looks for an order of the operations in which none comes before one that must be before it.
func place[State comparable, In, Out any](p *Puzzle[State, In, Out], before func(a, b Operation[In, Out]) bool) bool {
	s := placing[State, In, Out]{
		Puzzle: p,
		before: make([][]int, len(p.Operations)),
		placed: make([]byte, (len(p.Operations)+7)/8),
		states: make([]State, slices.Max(append(p.Parts, 0))+1),
		number: make(map[State]uint32),
		seen:   make(map[string]struct{}),
	}
	for part := range s.states {
		s.states[part] = p.Init()
	}
	for i, o := range p.Operations {
		for j := range p.Operations {
			if j != i && before(p.Operations[j], o) {
				s.before[i] = append(s.before[i], j)
			}
		}
	}
	return s.from(returned(p.Operations))
}

// placing is a search for an order: depth first, never twice from where the same operations have led to the same states.
type placing[State comparable, In, Out any] struct {
	*Puzzle[State, In, Out]
	before [][]int // which operations must come before each
	placed []byte  // a bit for each operation
	states []State // of each part
	number map[State]uint32
	seen   map[string]struct{}
	key    []byte
}

// from places the rest, of which so many have returned.
func (s *placing[State, In, Out]) from(left int) bool {
	if left == 0 {
		return true
	}
	for i := range s.Operations {
		if s.has(i) || !s.ready(i) {
			continue
		}
		state := &s.states[s.Parts[i]]
		former, pending := *state, s.Operations[i].Pending()
		next, ok := s.Step(former, i)
		if !ok || pending && next == former { // a pending operation may be left out, and is of use only if it changes something
			continue
		}
		s.flip(i)
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
		s.flip(i)
	}
	return false
}

// has reports whether an operation is placed.
func (s *placing[State, In, Out]) has(i int) bool { return s.placed[i/8]>>(i%8)&1 == 1 }

// flip places an operation, or takes it back.
func (s *placing[State, In, Out]) flip(i int) { s.placed[i/8] ^= 1 << (i % 8) }

// ready reports whether all that must come before an operation is placed.
func (s *placing[State, In, Out]) ready(i int) bool {
	for _, j := range s.before[i] {
		if !s.has(j) {
			return false
		}
	}
	return true
}

// isNew reports whether the search was never here before.
func (s *placing[State, In, Out]) isNew() bool {
	s.key = append(s.key[:0], s.placed...)
	for _, state := range s.states {
		number, met := s.number[state]
		if !met {
			number = uint32(len(s.number))
			s.number[state] = number
		}
		s.key = binary.LittleEndian.AppendUint32(s.key, number)
	}
	if _, seen := s.seen[string(s.key)]; seen {
		return false
	}
	s.seen[string(s.key)] = struct{}{}
	return true
}
