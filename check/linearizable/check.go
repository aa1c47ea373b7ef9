package linearizable

import (
	"math"

	"github.com/anishathalye/porcupine"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/clock"
)

// Check holds if the history of a run is linearizable. If it is not, the evidence and the marks have the fewest operations found that
// are not, whatever all others did; guilty is the first one of them that should not have returned as it did.
func Check[State comparable, In, Out any](h *history.History[In, Out], model history.Model[State, In, Out]) guarantee.Guarantee {
	return history.Rule[State, In, Out]{Name: "linearizable", Local: true, Fits: fits[State, In, Out], Before: history.Operation[In, Out].Before}.Guarantee(h, model)
}

// fits asks Porcupine, of which an operation's number is the input.
func fits[State comparable, In, Out any](p *history.Puzzle[State, In, Out]) bool {
	q := query[State, In, Out]{Puzzle: p, after: touching(p.Operations), awaited: make([]bool, len(p.Operations))}
	for _, formers := range q.after {
		for _, former := range formers {
			q.awaited[former] = true
		}
	}
	all := make([]porcupine.Operation, len(p.Operations))
	begin := place[State]{state: p.Init(), waits: string(make([]byte, (len(all)+7)/8))}
	for i, o := range p.Operations {
		all[i] = porcupine.Operation{ClientId: o.Rank, Input: i, Call: int64(o.Invoked), Return: int64(o.Returned)}
		if o.Pending() {
			all[i].Return = math.MaxInt64
		} else {
			begin.left++
		}
	}
	return porcupine.CheckOperations(porcupine.Model{
		Init:  func() any { return begin },
		Step:  func(at, operation, _ any) (bool, any) { return q.step(at.(place[State]), operation.(int)) },
		Equal: func(a, b any) bool { return q.equal(a.(place[State]), b.(place[State])) },
	}, all)
}

// place is where a search has got to.
type place[State comparable] struct {
	state State
	left  int    // how many of those that returned have not taken effect
	waits string // a bit for each operation that others of its rank wait for: whether it has taken effect
}

// query is what Porcupine is asked.
type query[State comparable, In, Out any] struct {
	*history.Puzzle[State, In, Out]
	after   [][]int // for each operation those of its rank that it waits for
	awaited []bool  // which ones these are

	compared int // how many places were
}

// comparisons are as much work as a step.
const comparisons = 32

// equal compares where two searches have got to. Porcupine compares with all places at which the same operations have taken effect: of a queue there may be one for each of their orders.
func (q *query[State, In, Out]) equal(a, b place[State]) bool {
	if q.compared++; q.compared%comparisons == 0 {
		q.Spend(1)
	}
	return a == b
}

// step lets an operation take effect, if it may. When the puzzle has given up, none that returned may, and the search soon ends.
func (q *query[State, In, Out]) step(at place[State], operation int) (ok bool, next any) {
	for _, former := range q.after[operation] {
		if at.waits[former/8]>>(former%8)&1 == 0 {
			return false, at
		}
	}
	state, ok := q.Step(at.state, operation)
	if q.Operations[operation].Pending() {
		// It may have no effect, but then it can just as well wait for the end: that saves the search from trying both everywhere.
		if at.left == 0 {
			return true, at
		}
		at.state, ok = state, ok && state != at.state
		return ok, at
	}
	at.state = state
	at.left--
	if q.awaited[operation] {
		bits := []byte(at.waits)
		bits[operation/8] |= 1 << (operation % 8)
		at.waits = string(bits)
	}
	return ok, at
}

// touching says for each operation which ones of its rank return at the instant at which it begins, and had returned when it did.
func touching[In, Out any](all []history.Operation[In, Out]) [][]int {
	type meeting struct {
		rank int
		at   clock.Time
	}
	ends := make(map[meeting][]int)
	for i, o := range all {
		if !o.Pending() {
			ends[meeting{o.Rank, o.Returned}] = append(ends[meeting{o.Rank, o.Returned}], i)
		}
	}
	after := make([][]int, len(all))
	for i, o := range all {
		for _, former := range ends[meeting{o.Rank, o.Invoked}] {
			if all[former].Before(o) {
				after[i] = append(after[i], former)
			}
		}
	}
	return after
}
