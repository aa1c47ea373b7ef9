package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
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
			return fmt.Sprintf("write %s = %d", in.name, in.value)
		case out == nil:
			return "read " + in.name
		}
		return fmt.Sprintf("read %s = %d", in.name, *out)
	},
}

func write(rank int, from, to clock.Time, name string, value int) operation {
	return operation{Rank: rank, Invoked: from, Returned: to, In: request{name, true, value}}
}

func read(rank int, from, to clock.Time, name string, value int) operation {
	return operation{Rank: rank, Invoked: from, Returned: to, In: request{name: name}, Out: value}
}

func ofClient(client int, o operation) operation {
	o.Client = client
	return o
}

func sequential(all ...operation) guarantee.Verdict {
	return history.SequentiallyConsistent(history.Of(all...), registers).Check(guarantee.Run{})
}

func TestHistoriesThatAreSequentiallyConsistent(t *testing.T) {
	for name, all := range map[string][]operation{
		"stale read, which is not linearizable": {write(0, 0, 9, "x", 1), read(1, 20, 29, "x", 0)},
		"a value before it is written":          {read(1, 0, 1, "x", 1), write(0, 20, 29, "x", 1)},
		"writes seen in an order of their own":  {write(0, 0, 9, "x", 1), write(1, 20, 29, "x", 2), read(2, 30, 31, "x", 2), read(2, 40, 41, "x", 1)},
		"one of two that look at each other":    {write(0, 0, 1, "x", 1), read(0, 2, 3, "y", 0), write(1, 0, 1, "y", 1), read(1, 2, 3, "x", 1)},
		"two clients of one rank":               {ofClient(1, write(0, 0, 9, "x", 1)), ofClient(2, read(0, 20, 29, "x", 0))},
		"a pending write":                       {write(0, 0, clock.Never, "x", 1), read(1, 5, 6, "x", 0), read(1, 7, 8, "x", 1)},
		"a pending write of a former life":      {write(0, 0, clock.Never, "x", 1), read(0, 5, 6, "x", 0), read(0, 7, 8, "x", 1)},
	} {
		v := sequential(all...)
		require.Equal(t, guarantee.Held, v.Value, "%s: %v", name, v)
		require.True(t, v.Safety)
		require.Empty(t, v.Marks)
	}
	require.Equal(t, "held: sequentially consistent: 3 operations, 1 of them pending, on 2 parts",
		sequential(write(0, 0, clock.Never, "x", 1), read(1, 5, 6, "y", 0), read(1, 7, 8, "x", 1)).String())
}

func TestHistoriesThatAreNotSequentiallyConsistent(t *testing.T) {
	for _, c := range []struct {
		name     string
		all      []operation
		evidence string
	}{
		{"own write forgotten", []operation{write(1, 0, 1, "x", 5), write(0, 0, 9, "x", 1), read(0, 9, 9, "x", 0)},
			"rank 0: read x = 0 at t=9 fits nowhere beside rank 0: write x = 1 at t=0..9"},
		{"a value that nobody wrote", []operation{write(0, 0, 9, "x", 1), read(1, 20, 29, "x", 3), read(1, 30, 31, "y", 0)},
			"rank 1: read x = 3 at t=20..29 fits nowhere"},
		{"both look before the other has written (Dekker)",
			[]operation{write(0, 0, 1, "x", 1), read(0, 2, 3, "y", 0), write(1, 0, 1, "y", 1), read(1, 2, 4, "x", 0), read(2, 0, 9, "x", 1)},
			"rank 1: read x = 0 at t=2..4 fits nowhere beside rank 0: write x = 1 at t=0..1, rank 1: write y = 1 at t=0..1 and rank 0: read y = 0 at t=2..3"},
		{"independent reads of independent writes (IRIW)", []operation{write(0, 0, 1, "x", 1), write(1, 0, 1, "y", 1),
			read(2, 2, 3, "x", 1), read(2, 4, 5, "y", 0), read(3, 2, 3, "y", 1), read(3, 4, 6, "x", 0)},
			"rank 3: read x = 0 at t=4..6 fits nowhere beside rank 2: read x = 1 at t=2..3, rank 3: read y = 1 at t=2..3 and rank 2: read y = 0 at t=4..5"},
		{"two writes in two orders", []operation{write(0, 0, 1, "x", 1), write(1, 0, 1, "x", 2),
			read(2, 2, 3, "x", 1), read(2, 4, 5, "x", 2), read(3, 2, 3, "x", 2), read(3, 4, 6, "x", 1)},
			"rank 3: read x = 1 at t=4..6 fits nowhere beside rank 2: read x = 1 at t=2..3, rank 3: read x = 2 at t=2..3 and rank 2: read x = 2 at t=4..5"},
		{"a client of two lives", []operation{write(0, 0, 1, "x", 1), {Rank: 0, Life: 1, Invoked: 50, Returned: 51, In: request{name: "x"}, Out: 0}},
			"rank 0: read x = 0 at t=50..51 fits nowhere beside rank 0: write x = 1 at t=0..1"},
		{"one client of two", []operation{ofClient(1, write(0, 0, 1, "x", 1)), ofClient(2, read(0, 2, 3, "x", 0)), ofClient(1, read(0, 4, 4, "x", 0))},
			"client 1 of rank 0: read x = 0 at t=4 fits nowhere beside client 1 of rank 0: write x = 1 at t=0..1"},
	} {
		v := sequential(c.all...)
		require.Equal(t, guarantee.Broken, v.Value, c.name)
		require.Equal(t, c.evidence, v.Evidence, c.name)
		require.True(t, slices.ContainsFunc(v.Marks, func(m guarantee.Mark) bool { return m.Guilty }))
	}
}

func TestAViolationIsMarked(t *testing.T) {
	v := sequential(write(2, 0, 1, "x", 3), write(0, 1, 3, "x", 1), read(0, 5, 9, "x", 2), read(0, 10, 12, "x", 1), write(1, 11, clock.Never, "x", 2), read(1, 13, 14, "x", 2))
	require.Equal(t, []guarantee.Mark{
		{Rank: 0, From: 1, To: 3, Text: "write x = 1"},
		{Rank: 0, From: 5, To: 9, Text: "read x = 2"},
		{Rank: 0, From: 10, To: 12, Text: "read x = 1", Guilty: true},
	}, v.Marks)
	v = sequential(read(1, 4, 6, "x", 2), write(2, 9, clock.Never, "x", 2))
	require.Equal(t, guarantee.Held, v.Value, "another client's write may have come first, whenever it was asked for")
}

// Six clients each write a register of their own and then do not see what the next one has written: they went round in a circle, to which all of them are needed.
func TestLongExplanationsAreCutShort(t *testing.T) {
	const clients = 6
	var all []operation
	for rank := range clients {
		all = append(all, write(rank, 0, 1, fmt.Sprint("x", rank), 1), read(rank, 2, 3, fmt.Sprint("x", (rank+1)%clients), 0))
	}
	v := sequential(all...)
	require.Len(t, v.Marks, 2*clients)
	require.Equal(t, len(v.Marks)-9, more(t, v.Evidence), "but the guilty one and eight others")
}

func TestNothingIsClaimedOfWhatWasNotJudged(t *testing.T) {
	require.Equal(t, "not claimed: sequentially consistent: no operation has returned", sequential().String())
	require.Equal(t, "not claimed: sequentially consistent: no operation has returned", sequential(write(0, 0, clock.Never, "x", 1)).String())
	impatient := registers
	impatient.Limit = 20
	var all []operation
	for rank := range 8 {
		all = append(all, write(rank, 0, 100, "x", rank))
	}
	all = append(all, read(0, 101, 102, "x", 99))
	h := history.Of(all...)
	require.Equal(t, "not claimed: sequentially consistent: gave up 9 operations after 20 steps",
		history.SequentiallyConsistent(h, impatient).Check(guarantee.Run{}).String())
	require.Equal(t, guarantee.Broken, history.SequentiallyConsistent(h, registers).Check(guarantee.Run{}).Value)
}

// Nine writes have 362,880 orders, but only 512 sets of them can be done at some point.
func TestNoPlaceOfASearchIsVisitedTwice(t *testing.T) {
	model := registers
	model.Limit = 10_000
	var all []operation
	for rank := range 9 {
		all = append(all, write(rank, 0, 100, "x", 1))
	}
	all = append(all, read(0, 101, 102, "x", 99))
	require.Equal(t, guarantee.Broken, history.SequentiallyConsistent(history.Of(all...), model).Check(guarantee.Run{}).Value)
}

// draw makes up what clients might have been told, one after the other at each rank.
func draw(t *rapid.T) (all []operation) {
	for rank := range 3 {
		now := clock.Time(0)
		for range rapid.IntRange(0, 3).Draw(t, "operations") {
			o := operation{Rank: rank, Invoked: now, Client: rapid.IntRange(0, 1).Draw(t, "client")}
			o.In = request{rapid.SampledFrom([]string{"x", "y"}).Draw(t, "name"), rapid.Bool().Draw(t, "write"), rapid.IntRange(1, 2).Draw(t, "value")}
			now += clock.Time(rapid.IntRange(0, 2).Draw(t, "time"))
			o.Returned, o.Out = now, rapid.IntRange(0, 2).Draw(t, "result")
			if rapid.IntRange(0, 5).Draw(t, "end") == 0 {
				o.Returned = clock.Never
			}
			all = append(all, o)
		}
	}
	return history.Of(all...).Operations()
}

func TestVerdictsAreThoseOfTryingAllOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := draw(t)
		v := sequential(all...)
		require.Equal(t, !possible(all, nil, map[string]int{}), v.Value == guarantee.Broken, "%v", v)
		if v.Value != guarantee.Broken {
			return
		}
		var freed []operation
		for _, o := range all {
			if !slices.ContainsFunc(v.Marks, func(m guarantee.Mark) bool { return shows(m, o) }) {
				o.Invoked, o.Returned = -1, clock.Never
			}
			freed = append(freed, o)
		}
		require.False(t, possible(freed, nil, map[string]int{}), "%v", v)
		for _, m := range v.Marks {
			spared := slices.Clone(freed)
			for i := range spared {
				if shows(m, spared[i]) {
					spared[i].Invoked, spared[i].Returned = -1, clock.Never
				}
			}
			require.True(t, possible(spared, nil, map[string]int{}), "%v can be spared of %v", m, v)
		}
	})
}

// What took effect one by one, each after those that its client had asked for before, is sequentially consistent.
func TestRealExecutionsAreSequentiallyConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := draw(t)
		var order []int // of ranks, whose next operation takes effect
		for _, o := range all {
			order = append(order, o.Rank)
		}
		values, next := make(map[string]int), make(map[int]int)
		for _, rank := range rapid.Permutation(order).Draw(t, "order") {
			for i := next[rank]; ; i++ {
				if o := &all[i]; o.Rank == rank {
					next[rank] = i + 1
					switch lost := rapid.Bool().Draw(t, "lost"); {
					case o.Pending() && lost:
					case o.In.write:
						values[o.In.name] = o.In.value
					default:
						o.Out = values[o.In.name]
					}
					break
				}
			}
		}
		require.NotEqual(t, guarantee.Broken, sequential(all...).Value)
	})
}

func shows(m guarantee.Mark, o operation) bool {
	var out *int
	if !o.Pending() {
		out = &o.Out
	}
	return m.Rank == o.Rank && m.From == o.Invoked && m.To == min(o.Returned, clock.Forever) && m.Text == registers.Describe(o.In, out)
}

// possible tries all orders of the rest after these, which have left the registers with such values.
func possible(all []operation, done []int, values map[string]int) bool {
	left := false
	for i, o := range all {
		left = left || !o.Pending() && !slices.Contains(done, i)
	}
	if !left {
		return true
	}
	for i, o := range all {
		early := slices.Contains(done, i)
		for j, former := range all {
			early = early || j != i && !slices.Contains(done, j) && former.Rank == o.Rank && former.Client == o.Client && former.Before(o)
		}
		old := values[o.In.name]
		if early || !o.Pending() && !o.In.write && o.Out != old {
			continue
		}
		if o.In.write {
			values[o.In.name] = o.In.value
		}
		found := possible(all, append(slices.Clone(done), i), values)
		values[o.In.name] = old
		if found {
			return true
		}
	}
	return false
}

// more is how many operations a piece of evidence does not list.
func more(t *testing.T, evidence string) (n int) {
	t.Helper()
	_, rest, found := strings.Cut(evidence, " and ")
	require.True(t, found)
	_, err := fmt.Sscanf(rest, "%d more operations", &n)
	require.NoError(t, err)
	return n
}
