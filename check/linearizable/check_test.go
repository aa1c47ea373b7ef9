package linearizable_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/check/linearizable"
	"github.com/mangrove-emu/mangrove/clock"
)

// request is something that a client asks of registers: it writes if it says so.
type request struct {
	name  string
	write bool
	value int
}

type operation = history.Operation[request, int]

// registers begin with 0.
var registers = history.Model[int, request, int]{
	Step: func(state int, in request, out *int) (int, bool) {
		if in.write {
			return in.value, true
		}
		return state, out == nil || *out == state
	},
	Part: func(in request) string { return in.name },
	Describe: func(in request, out *int) string {
		switch {
		case in.write:
			return fmt.Sprintf("write %d", in.value)
		case out == nil:
			return "read"
		}
		return fmt.Sprintf("read %d", *out)
	},
}

func write(rank int, from, to clock.Time, name string, value int) operation {
	return operation{Rank: rank, Invoked: from, Returned: to, In: request{name, true, value}}
}

func read(rank int, from, to clock.Time, name string, value int) operation {
	return operation{Rank: rank, Invoked: from, Returned: to, In: request{name: name}, Out: value}
}

func check(all ...operation) guarantee.Verdict {
	v := linearizable.Check(history.Of(all...), registers).Check(guarantee.Run{})
	return v
}

func TestHistoriesThatAreLinearizable(t *testing.T) {
	for name, all := range map[string][]operation{
		"one after the other":           {write(0, 0, 4, "x", 1), read(1, 5, 9, "x", 1), write(1, 9, 12, "x", 2), read(0, 13, 15, "x", 2)},
		"old value meanwhile":           {write(0, 10, 30, "x", 1), read(1, 12, 14, "x", 0), read(1, 20, 22, "x", 1)},
		"writes in either order":        {write(0, 0, 9, "x", 1), write(1, 0, 9, "x", 2), read(2, 10, 11, "x", 1)},
		"at the instant of the return":  {write(0, 0, 9, "x", 1), read(1, 9, 12, "x", 0)},
		"parts of one instant, crossed": {write(0, 0, 9, "x", 1), read(0, 9, 9, "y", 0), write(1, 0, 9, "y", 1), read(1, 9, 9, "x", 0)},
		"a pending write is seen":       {write(0, 0, clock.Never, "x", 1), read(1, 5, 6, "x", 1)},
		"a pending write is seen late":  {write(0, 0, clock.Never, "x", 1), read(1, 5, 6, "x", 0), read(1, 500, 600, "x", 1)},
		"a pending write never happens": {write(0, 0, clock.Never, "x", 1), read(1, 5, 6, "x", 0)},
		"a pending read is of no use":   {read(0, 0, clock.Never, "x", 0), write(1, 5, 6, "x", 3), read(1, 7, 8, "x", 3)},
	} {
		v := check(all...)
		require.Equal(t, guarantee.Held, v.Value, "%s: %v", name, v)
		require.True(t, v.Safety)
		require.Empty(t, v.Marks)
	}
}

func TestHistoriesThatAreNotLinearizable(t *testing.T) {
	for _, c := range []struct {
		name     string
		all      []operation
		evidence string
		guilty   int // which of the marks
		marks    int
	}{
		{"stale read", []operation{write(0, 0, 5, "x", 7), write(1, 20, 30, "x", 1), read(2, 31, 32, "y", 0), read(2, 40, 44, "x", 0), read(0, 50, 51, "x", 1)},
			`x: rank 2: read 0 at t=40..44 fits nowhere beside rank 1: write 1 at t=20..30`, 1, 2},
		{"a value that nobody wrote", []operation{write(0, 0, 5, "x", 1), read(1, 3, 7, "x", 9)},
			`x: rank 1: read 9 at t=3..7 fits nowhere`, 0, 1},
		{"new, then old", []operation{write(0, 10, 90, "x", 1), read(1, 20, 30, "x", 1), read(2, 31, 40, "x", 0)},
			`x: rank 2: read 0 at t=31..40 fits nowhere beside rank 1: read 1 at t=20..30`, 1, 2},
		{"a value before it is written", []operation{read(1, 1, 3, "x", 2), write(0, 10, 12, "x", 2)},
			`x: rank 1: read 2 at t=1..3 fits nowhere beside rank 0: write 2 at t=10..12`, 0, 2},
		{"a value before its write, which is pending", []operation{read(1, 1, 3, "x", 2), write(0, 10, clock.Never, "x", 2)},
			`x: rank 1: read 2 at t=1..3 fits nowhere beside rank 0: write 2 from t=10 on`, 0, 2},
		{"own write forgotten at once", []operation{write(0, 0, 9, "x", 1), read(0, 9, 9, "x", 0)},
			`x: rank 0: read 0 at t=9 fits nowhere beside rank 0: write 1 at t=0..9`, 1, 2},
		{"own writes of one instant in the wrong order", []operation{write(0, 9, 9, "x", 1), write(0, 9, 9, "x", 2), read(1, 10, 11, "x", 1)},
			`x: rank 1: read 1 at t=10..11 fits nowhere beside rank 0: write 1 at t=9 and rank 0: write 2 at t=9`, 2, 3},
	} {
		v := check(c.all...)
		require.Equal(t, guarantee.Broken, v.Value, c.name)
		require.Equal(t, c.evidence, v.Evidence, c.name)
		require.Len(t, v.Marks, c.marks, c.name)
		for i, m := range v.Marks {
			require.Equal(t, i == c.guilty, m.Guilty, "%s: %v", c.name, v.Marks)
		}
	}
}

// A lost update: both have read 0 and added 1, and both believe that theirs is the second value.
func TestALostUpdateIsFound(t *testing.T) {
	counter := history.Model[int, int, int]{
		Step:     func(state, add int, out *int) (int, bool) { return state + add, out == nil || *out == state+add },
		Describe: func(add int, out *int) string { return fmt.Sprintf("add %d = %d", add, *out) },
	}
	add := func(rank int, from, to clock.Time, sum int) history.Operation[int, int] {
		return history.Operation[int, int]{Rank: rank, Invoked: from, Returned: to, In: 1, Out: sum}
	}
	v := linearizable.Check(history.Of(add(0, 0, 9, 1), add(1, 2, 7, 1), add(2, 20, 21, 2)), counter).Check(guarantee.Run{})
	require.Equal(t, guarantee.Broken, v.Value)
	require.Equal(t, "rank 0: add 1 = 1 at t=0..9 fits nowhere beside rank 1: add 1 = 1 at t=2..7", v.Evidence)
	v = linearizable.Check(history.Of(add(0, 0, 9, 2), add(1, 2, 7, 1), add(2, 20, 21, 3)), counter).Check(guarantee.Run{})
	require.Equal(t, guarantee.Held, v.Value)
}

// What two operations can do together, though neither can alone, has to be ruled out, too.
func TestWhatOthersCanDoTogetherIsRuledOut(t *testing.T) {
	type in struct{ from, to int } // compare and swap; out is what was there. It writes whatever was there if from is negative, and reads if both are the same
	swaps := history.Model[int, in, int]{Step: func(state int, in in, out *int) (int, bool) {
		if ok := out == nil || *out == state; in.from >= 0 && in.from != state {
			return state, ok
		} else {
			return in.to, ok
		}
	}}
	v := linearizable.Check(history.Of(
		history.Operation[in, int]{Rank: 0, Invoked: 0, Returned: 1, In: in{1, 1}, Out: 1},
		history.Operation[in, int]{Rank: 1, Invoked: 2, Returned: 3, In: in{-1, 2}, Out: 0},
		history.Operation[in, int]{Rank: 1, Invoked: 4, Returned: 5, In: in{2, 1}, Out: 2},
	), swaps).Check(guarantee.Run{})
	require.Equal(t, "rank 0: {1 1} = 1 at t=0..1 fits nowhere beside rank 1: {-1 2} = 0 at t=2..3", v.Evidence)
}

// Of a queue each order in which operations took effect leads to a place of its own, and all of these are compared: that counts, too.
func TestWhatIsComparedCounts(t *testing.T) {
	queue := history.Model[string, rune, rune]{Limit: 100_000, Step: func(state string, put rune, out *rune) (string, bool) {
		if put != 0 {
			return state + string(put), true
		}
		return state, out == nil || *out == 0 && state == ""
	}}
	var all []history.Operation[rune, rune]
	for rank := range 40 {
		all = append(all, history.Operation[rune, rune]{Rank: rank, Invoked: 0, Returned: 100, In: rune('a' + rank)})
	}
	all = append(all, history.Operation[rune, rune]{Rank: 40, Invoked: 101, Returned: 102, Out: 1})
	v := linearizable.Check(history.Of(all...), queue).Check(guarantee.Run{})
	require.Equal(t, "not claimed: linearizable: gave up 41 operations after 100000 steps", v.String())
}

// An operation that nobody saw return may do what its result would have forbidden, and need not do anything.
func TestAPendingOperationMayDoNothing(t *testing.T) {
	type in struct{ from, to int } // compare and swap; out is whether it did
	swaps := history.Model[int, in, bool]{Step: func(state int, in in, out *bool) (int, bool) {
		if state != in.from {
			return state, out != nil && !*out // without a result there is nothing that it could do here
		}
		return in.to, out == nil || *out
	}}
	swap := func(rank int, from, to clock.Time, old, value int, did bool) history.Operation[in, bool] {
		return history.Operation[in, bool]{Rank: rank, Invoked: from, Returned: to, In: in{old, value}, Out: did}
	}
	for did, value := range map[bool]guarantee.Value{true: guarantee.Held, false: guarantee.Broken} {
		h := history.Of(swap(0, 0, clock.Never, 5, 6, false), swap(1, 1, 2, 0, 1, did), swap(1, 3, 4, 1, 2, true))
		require.Equal(t, value, linearizable.Check(h, swaps).Check(guarantee.Run{}).Value)
	}
}

func TestNothingIsClaimedOfWhatWasNotJudged(t *testing.T) {
	require.Equal(t, "not claimed: linearizable: no operation has returned", check().String())
	require.Equal(t, "not claimed: linearizable: no operation has returned", check(write(0, 0, clock.Never, "x", 1)).String())

	impatient := registers
	impatient.Limit = 10
	var all []operation
	for rank := range 8 {
		all = append(all, write(rank, 0, 100, "x", rank))
	}
	all = append(all, read(0, 101, 102, "x", 99), read(1, 200, 201, "y", 0))
	v := linearizable.Check(history.Of(all...), impatient).Check(guarantee.Run{})
	require.Equal(t, "not claimed: linearizable: gave up 9 operations after 10 steps", v.String())
	v = check(all...)
	require.Equal(t, "broken: linearizable: x: rank 0: read 99 at t=101..102 fits nowhere", v.String())

	// What is certain in another part is said all the same.
	all = append(all, read(1, 202, 203, "y", 1))
	v = linearizable.Check(history.Of(all...), impatient).Check(guarantee.Run{})
	require.Equal(t, "broken: linearizable: y: rank 1: read 1 at t=202..203 fits nowhere", v.String())
}
