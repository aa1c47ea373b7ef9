package history

import (
	"encoding/binary"
	"slices"
)

// How much may be spent on finding out what does not fit even loosely. These are counts, so that a verdict is the same each time.
const (
	looseOperations = 3_000      // of more nothing is found out
	looseQuestions  = 2_000_000  // to the model
	looseWork       = 20_000_000 // of all searches
	looseSearch     = 4_000_000  // of one of them
)

// loose answers a question that is easier than whether operations fit: whether they do if those that are free may take effect any number of times. What does not fit like that
// does not fit; what does may still not.
//
// It is easier as no search has to remember which of the free ones have taken effect. They are what states can be reached from a state, and no more: however many they are.
type loose[State comparable, In, Out any] struct {
	whole  *Puzzle[State, In, Out]
	before []set  // for each operation those that must come before it
	idle   []bool // which ones never change anything
	number map[State]int32
	states []State
	steps  [2][][]int32 // what the model has said about each operation with its result, and without: of each state the number of the next one and 1, -1 if it does not fit
	asked  int          // how often the model was
	work   int          // how much of it there was
}

// newLoose prepares for the searches that an explanation needs; nil if the rule is not known well enough, or there are too many operations.
func newLoose[State comparable, In, Out any](whole *Puzzle[State, In, Out], before func(a, b Operation[In, Out]) bool) *loose[State, In, Out] {
	n := len(whole.Operations)
	if before == nil || n > looseOperations {
		return nil
	}
	l := &loose[State, In, Out]{whole: whole, before: make([]set, n)}
	for i, o := range whole.Operations {
		l.before[i] = newSet(n)
		for j := range i { // none comes before one that began earlier
			if before(whole.Operations[j], o) {
				l.before[i].flip(j)
			}
		}
	}
	l.forget()
	l.idle = l.findIdle()
	return l
}

// forget forgets what the model has said.
func (l *loose[State, In, Out]) forget() {
	n := len(l.whole.Operations)
	l.number, l.states = map[State]int32{l.whole.Init(): 0}, []State{l.whole.Init()}
	l.steps = [2][][]int32{make([][]int32, n), make([][]int32, n)}
}

// findIdle says which operations change nothing in any state that can be reached at all: reads. If these states are too many, it is none.
func (l *loose[State, In, Out]) findIdle() []bool {
	n := len(l.whole.Operations)
	idle := slices.Repeat([]bool{true}, n)
	for part := range int32(slices.Max(append(l.whole.Parts, 0)) + 1) {
		met := map[int32]bool{0: true}
		for queue := []int32{0}; len(queue) > 0; queue = queue[1:] {
			for i := range n {
				if int32(l.whole.Parts[i]) != part {
					continue
				}
				for _, known := range []bool{true, false} {
					next, ok, gaveUp := l.step(i, known, queue[0])
					if gaveUp {
						l.forget()
						return make([]bool, n)
					}
					if ok && next != queue[0] {
						idle[i] = false
						if !met[next] {
							met[next] = true
							queue = append(queue, next)
						}
					}
				}
			}
		}
	}
	return idle
}

// step asks the model, unless it has answered before.
func (l *loose[State, In, Out]) step(operation int, known bool, state int32) (next int32, ok, gaveUp bool) {
	l.work++
	o := &l.whole.Operations[operation]
	mode := 0
	if !known || o.Pending() {
		mode = 1
	}
	row := &l.steps[mode][operation]
	for len(*row) <= int(state) {
		*row = append(*row, make([]int32, len(l.states)-len(*row))...)
	}
	if answer := &(*row)[state]; *answer == 0 {
		if l.asked++; l.asked > looseQuestions {
			return 0, false, true
		}
		out := &o.Out
		if mode == 1 {
			out = nil
		}
		to, fits := l.whole.model.Step(l.states[state], o.In, out)
		*answer = -1
		if fits {
			number, met := l.number[to]
			if !met {
				if number = int32(len(l.states)); int(number) > 8*len(l.whole.Operations)+8 { // what grows without end
					*answer = 0
					return 0, false, true
				}
				l.number[to] = number
				l.states = append(l.states, to)
			}
			*answer = number + 1
		}
	}
	answer := (*row)[state]
	return answer - 1, answer > 0, false
}

// fits reports whether the operations that are not free may fit, or gives up.
func (l *loose[State, In, Out]) fits(roles []role) (fits, gaveUp bool) {
	if l.work > looseWork || l.asked > looseQuestions {
		return true, true
	}
	n := len(roles)
	s := &loosely[State, In, Out]{
		loose: l, roles: roles, front: newFront(n), end: min(l.work+looseSearch, looseWork),
		at:    make([]int32, slices.Max(append(l.whole.Parts, 0))+1),
		free:  make([][]int, slices.Max(append(l.whole.Parts, 0))+1),
		reach: make(map[spot][]int32), nexts: make(map[spot][]int32), seen: make(map[string]struct{}),
	}
	left := s.prepare()
	fits = s.from(left)
	return fits || s.gaveUp, s.gaveUp
}

// loosely is one such search. It is like placing but for what it does with free operations.
type loosely[State comparable, In, Out any] struct {
	*loose[State, In, Out]
	*front
	roles  []role
	free   [][]int // of each part those that may change something
	at     []int32 // the state of each part, before free operations have taken effect
	reach  map[spot][]int32
	nexts  map[spot][]int32
	seen   map[string]struct{}
	buffer []byte
	end    int // how much work there may be
	gaveUp bool
}

// spot is a state and what is there: a part, or an operation.
type spot struct{ what, state int32 }

// prepare finds out which operations wait for which, and how many have returned.
func (s *loosely[State, In, Out]) prepare() (left int) {
	returned := newSet(len(s.roles))
	for i, role := range s.roles {
		switch {
		case role == free && !s.idle[i]:
			part := s.whole.Parts[i]
			s.free[part] = append(s.free[part], i)
		case role == kept && !s.whole.Operations[i].Pending():
			returned.flip(i)
			left++
		}
	}
	formers := newSet(len(s.roles))
	for i, role := range s.roles {
		if role == free || role == gone {
			continue
		}
		for w := range formers {
			formers[w] = s.before[i][w] & returned[w]
		}
		for j := formers.last(); j >= 0; j = formers.last() {
			s.wait(i, j)
			formers.flip(j)
			for w := range formers { // for these it waits as well
				formers[w] &^= s.before[j][w]
			}
		}
		s.begin(i)
		s.work += len(formers)
	}
	return left
}

// from places the rest, of which so many have returned.
func (s *loosely[State, In, Out]) from(left int) bool {
	if left == 0 || s.gaveUp {
		return true
	}
	for i := range s.ready.all {
		if s.idle[i] && s.known(i) && s.fitsHere(i) {
			return s.try(i, s.at[s.whole.Parts[i]], left-1) // it is in nobody's way, so later is no better
		}
	}
	for i := range s.ready.all {
		known, rest := s.known(i), left
		switch {
		case known:
			rest--
		case s.idle[i]:
			continue
		}
		for _, next := range s.outcomes(i, known, s.at[s.whole.Parts[i]]) {
			if s.try(i, next, rest) {
				return true
			}
		}
	}
	return s.gaveUp
}

// try places an operation, which leaves its part in this state, and the rest.
func (s *loosely[State, In, Out]) try(operation int, next int32, left int) bool {
	state := &s.at[s.whole.Parts[operation]]
	former := *state
	s.place(operation)
	*state = next
	if s.isNew() && s.from(left) {
		return true
	}
	*state = former
	s.takeBack(operation)
	return false
}

// known reports whether an operation has returned, as far as is known.
func (s *loosely[State, In, Out]) known(operation int) bool {
	return s.roles[operation] == kept && !s.whole.Operations[operation].Pending()
}

// fitsHere reports whether an operation that changes nothing fits now, or after free ones from where others lead back.
func (s *loosely[State, In, Out]) fitsHere(operation int) bool {
	part := s.whole.Parts[operation]
	here := s.at[part]
	return slices.ContainsFunc(s.outcomes(operation, true, here), func(state int32) bool {
		further := s.reached(part, state)
		s.work += len(further)
		return slices.Contains(further, here)
	})
}

// outcomes are the states in which an operation may leave its part, if others may take effect before it.
func (s *loosely[State, In, Out]) outcomes(operation int, known bool, from int32) (all []int32) {
	here := spot{int32(operation), from}
	if all, met := s.nexts[here]; met {
		return all
	}
	could := s.reached(s.whole.Parts[operation], from)
	for _, state := range could {
		next, ok := s.ask(operation, known, state)
		if ok && !slices.Contains(all, next) && (known || !slices.Contains(could, next)) { // who need not take effect is of no use if others do the same
			all = append(all, next)
		}
	}
	s.nexts[here] = all
	return all
}

// reached are the states to which free operations lead, and the one that they begin with, which is the first.
func (s *loosely[State, In, Out]) reached(part int, from int32) []int32 {
	here := spot{int32(part), from}
	if all, found := s.reach[here]; found {
		return all
	}
	all, met := []int32{from}, make(map[int32]bool)
	met[from] = true
	for _, i := range s.free[part] {
		if next, ok := s.ask(i, false, from); ok && !met[next] {
			for _, state := range s.walk(part, next) {
				if !met[state] {
					met[state] = true
					all = append(all, state)
				}
			}
		}
	}
	s.reach[here] = all
	return all
}

// walk is reached for a state that others lead to: where they all lead to each other, as writes do, the way is gone once.
func (s *loosely[State, In, Out]) walk(part int, from int32) []int32 {
	here := spot{int32(part), from}
	if all, found := s.reach[here]; found {
		s.work += len(all)
		return all
	}
	all, met := []int32{from}, make(map[int32]bool)
	met[from] = true
	for n := 0; n < len(all) && !s.gaveUp; n++ {
		for _, i := range s.free[part] {
			if next, ok := s.ask(i, false, all[n]); ok && !met[next] {
				met[next] = true
				all = append(all, next)
			}
		}
	}
	s.reach[here] = all
	return all
}

// ask asks the model. When there was too much work, the search is over.
func (s *loosely[State, In, Out]) ask(operation int, known bool, state int32) (next int32, ok bool) {
	next, ok, gaveUp := s.step(operation, known, state)
	s.gaveUp = s.gaveUp || gaveUp || s.work > s.end
	return next, ok
}

// isNew reports whether the search was never here before.
func (s *loosely[State, In, Out]) isNew() bool {
	s.buffer = s.key(s.buffer[:0])
	for _, state := range s.at {
		s.buffer = binary.LittleEndian.AppendUint32(s.buffer, uint32(state))
	}
	if _, seen := s.seen[string(s.buffer)]; seen {
		return false
	}
	s.seen[string(s.buffer)] = struct{}{}
	s.work += len(s.buffer)
	return true
}
