package history_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/history"
	"github.com/mangrove-emu/mangrove/clock"
)

// change is something that a client asks of one register: it reads, writes a value, or puts one in the place of another one.
type change struct {
	what    string // read, write or swap
	old, to int
}

type changing = history.Operation[change, int]

// changed begins with 0. The result of a swap is 1 if it has done it.
var changed = history.Model[int, change, int]{
	Step: func(state int, in change, out *int) (int, bool) {
		switch {
		case in.what == "write":
			return in.to, true
		case in.what == "read":
			return state, out == nil || *out == state
		case state == in.old:
			return in.to, out == nil || *out == 1
		}
		return state, out == nil || *out == 0
	},
	Describe: func(in change, out *int) string {
		words := in.what
		if in.what == "swap" {
			words += fmt.Sprint(" ", in.old)
		}
		if in.what != "read" {
			words += fmt.Sprint(" ", in.to)
		}
		if out != nil && in.what != "write" {
			words += fmt.Sprint(" = ", *out)
		}
		return words
	},
}

// What two operations can do together, though neither can alone, has to be ruled out, too: here the read may have seen what the swap has put in the place of what was written.
func TestWhatOthersCanDoTogetherIsRuledOut(t *testing.T) {
	v := history.SequentiallyConsistent(history.Of(
		changing{Invoked: 0, Returned: 1, In: change{what: "read"}, Out: 1},
		changing{Invoked: 2, Returned: 3, In: change{what: "write", to: 2}},
		changing{Invoked: 4, Returned: 5, In: change{what: "swap", old: 2, to: 1}, Out: 1},
	), changed).Check(guarantee.Run{})
	require.Equal(t, "rank 0: read = 1 at t=0..1 fits nowhere beside rank 0: write 2 at t=2..3", v.Evidence)
}

// The operations of the evidence are enough, whatever all others did: with these free to be anywhere, no order at all will do.
func TestTheEvidenceIsEnoughWhateverOthersDid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []changing
		for rank := range 2 {
			now := clock.Time(rank)
			for range rapid.IntRange(0, 3).Draw(t, "operations") {
				o := changing{Rank: rank, Invoked: now, In: change{
					rapid.SampledFrom([]string{"read", "write", "swap"}).Draw(t, "what"), rapid.IntRange(0, 2).Draw(t, "old"), rapid.IntRange(0, 2).Draw(t, "to"),
				}}
				o.Returned, o.Out = now+1, rapid.IntRange(0, 2).Draw(t, "result")
				if rapid.IntRange(0, 5).Draw(t, "end") == 0 {
					o.Returned = clock.Never
				}
				all = append(all, o)
				now += 2
			}
		}
		v := history.SequentiallyConsistent(history.Of(all...), changed).Check(guarantee.Run{})
		require.Equal(t, !fitting(all, nil, 0), v.Value == guarantee.Broken, "%v", v)
		if v.Value != guarantee.Broken {
			return
		}
		kept := func(marks []guarantee.Mark) (left []changing) { // as it is without the others
			for _, o := range all {
				if !slices.ContainsFunc(marks, func(m guarantee.Mark) bool { return m.Rank == o.Rank && m.From == o.Invoked }) {
					o.Invoked, o.Returned = -1, clock.Never
				}
				left = append(left, o)
			}
			return left
		}
		require.False(t, fitting(kept(v.Marks), nil, 0), "%v of %v", v, all)
		for i := range v.Marks {
			require.True(t, fitting(kept(slices.Delete(slices.Clone(v.Marks), i, i+1)), nil, 0), "%v can be spared of %v", v.Marks[i], v)
		}
	})
}

// fitting tries all orders of the rest after these, which have left the register with such a value.
func fitting(all []changing, done []int, value int) bool {
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
			early = early || j != i && !slices.Contains(done, j) && former.Rank == o.Rank && former.Before(o)
		}
		if early {
			continue
		}
		out := &o.Out
		if o.Pending() {
			out = nil
		}
		if next, ok := changed.Step(value, o.In, out); ok && fitting(all, append(slices.Clone(done), i), next) {
			return true
		}
	}
	return false
}

// Of a thousand operations those are named that are at odds, with no more questions to the model than twice what a verdict may take and what it is told.
func TestLongHistoriesAreExplained(t *testing.T) {
	asked := 0
	counting := registers
	counting.Step = func(state int, in request, out *int) (int, bool) {
		asked++
		return registers.Step(state, in, out)
	}
	var all []operation
	const clients = 4
	for i := range 1000 {
		now := clock.Time(2 * i)
		if i%3 == 0 {
			all = append(all, write(i%clients, now, now+2*clients-1, "x", i+1))
		} else {
			all = append(all, read(i%clients, now, now+2*clients-1, "x", i-i%3+1))
		}
	}
	all = append(all, read(0, 3000, 3001, "x", 0))
	v := history.SequentiallyConsistent(history.Of(all...), counting).Check(guarantee.Run{})
	require.Equal(t, "rank 0: read x = 0 at t=3000..3001 fits nowhere beside rank 0: write x = 997 at t=1992..1999", v.Evidence)
	require.Less(t, asked, 3_000_000)
}

// What has more states than can be looked at, such as a queue, is explained in a bounded number of steps, too.
func TestExplanationsOfWhatGrowsWithoutEndAreBounded(t *testing.T) {
	asked := 0
	queue := history.Model[string, int, int]{Step: func(state string, put int, out *int) (string, bool) { // takes if it puts nothing; 0 is that there is nothing
		asked++
		switch {
		case put != 0:
			return state + string(rune(put)), true
		case state == "":
			return state, out == nil || *out == 0
		}
		first := []rune(state)[0]
		return state[len(string(first)):], out == nil || *out == int(first)
	}}
	var all []history.Operation[int, int]
	for i := range 400 {
		o := history.Operation[int, int]{Rank: i % 2, Invoked: clock.Time(i), Returned: clock.Time(i), In: i/2 + 1}
		if i%2 == 1 {
			o.In, o.Out = 0, i/2+1
		}
		all = append(all, o)
	}
	all[399].Out = 999
	v := history.SequentiallyConsistent(history.Of(all...), queue).Check(guarantee.Run{})
	require.Equal(t, guarantee.Broken, v.Value)
	require.Less(t, asked, 3_000_000)
}
