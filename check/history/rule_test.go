package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/clock"
)

// inOrder is a rule of one's own: each operation takes effect when it begins. Those that are pending have had none.
func inOrder(p *history.Puzzle[int, request, int]) bool {
	state := p.Init()
	for i, o := range p.Operations {
		if o.Pending() {
			continue
		}
		next, ok := p.Step(state, i)
		if !ok {
			return false
		}
		state = next
	}
	return true
}

// A local rule is judged for each part alone, and says which one is broken.
func TestRulesOfOnesOwn(t *testing.T) {
	rule := history.Rule[int, request, int]{Name: "at once", Local: true, Fits: inOrder}
	verdict := func(model history.Model[int, request, int], all ...operation) string {
		return guarantee.PromiseOf(rule.Guarantee(history.Of(all...), model)).Check(guarantee.Run{}).String()
	}
	good := []operation{write(0, 1, 9, "x", 1), read(1, 2, 3, "x", 1), write(1, 4, 5, "y", 7), read(0, 10, 11, "y", 7), write(1, 12, clock.Never, "y", 8)}
	require.Equal(t, "held: at once: 5 operations, 1 of them pending, on 2 parts", verdict(registers, good...))
	require.Equal(t, "broken: at once: y: rank 0: read y = 9 at t=20..21 fits nowhere", verdict(registers, append(good, read(0, 20, 21, "y", 9))...))
	impatient := registers
	impatient.Limit = 3
	require.Equal(t, "held: at once: 5 operations, 1 of them pending, on 2 parts", verdict(impatient, good...))
	impatient.Limit = 2
	require.Equal(t, "held: at once: 5 operations, 1 of them pending, on 2 parts", verdict(impatient, good...))
	impatient.Limit = 1
	require.Equal(t, "not claimed: at once: gave up 3 operations after 1 step", verdict(impatient, good...))

	whole := registers // one part only
	whole.Part = nil
	require.Equal(t, "broken: at once: rank 0: read y = 7 at t=10..11 fits nowhere", verdict(whole, write(0, 1, 9, "x", 1), read(0, 10, 11, "y", 7)))
}
