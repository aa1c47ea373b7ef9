package beside

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// library is one whose operations take no time. It notes what it is asked for.
type library struct {
	mu     sync.Mutex
	asked  []string
	wrong  string
	refuse error
	breaks error
}

func (*library) Library() string { return "None 1.0" }

func (l *library) Prepare(operation string, root, bytes int, mark byte) (do func() error, wrong func() string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, fmt.Sprintf("%s from %d, %d bytes, mark %d", operation, root, bytes, mark))
	return func() error { return l.breaks }, func() string { return l.wrong }, l.refuse
}

// nativeOf is the counterpart of a line.
func nativeOf(t *testing.T, engine Engine, processes int, text string) (*scenarios.Run, Operation) {
	t.Helper()
	ours, err := catalog.ParseLine(text)
	require.NoError(t, err)
	run, operation, err := Native(engine, ours, processes)
	require.NoError(t, err)
	return run, operation
}

// What is called is what the line is about, as often and as far apart.
func TestTheLibraryIsAskedForTheSame(t *testing.T) {
	l := &library{}
	run, operation := nativeOf(t, l, 3, "broadcast P=3 root=2 bytes=100 repeat=3 period=5ms tick=1us correction=none")
	require.Equal(t, Operation{catalog.Counterpart{Operation: "Bcast", Root: 2, Bytes: 100}, "None 1.0", 3}, operation)
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	require.Equal(t, guarantee.Held, outcome.Verdict())
	require.Len(t, outcome.Latencies, 3)
	slices.Sort(l.asked)
	var want []string
	for mark := range 3 {
		want = append(want, slices.Repeat([]string{fmt.Sprintf("Bcast from 2, 100 bytes, mark %d", mark)}, 3)...)
	}
	require.Equal(t, want, l.asked)
	lead := leadFor(operation.Counterpart, 3)
	require.EqualValues(t, lead+2*5_000_000/tick, outcome.Report.Exit, "the last call of the root is after two periods")
}

// Where ranks are not processes, it is one of the latter that begins.
func TestTheRootIsAProcess(t *testing.T) {
	_, operation := nativeOf(t, &library{}, 2, "broadcast P=30 root=29 tick=1us")
	require.Zero(t, operation.Root)
	require.Equal(t, 2, operation.Processes)
}

func TestLinesWithoutACounterpart(t *testing.T) {
	for text, says := range map[string]string{
		"membership P=4":                                   "membership: no MPI library has an operation that does this",
		"collective P=4 op=alltoallv":                      "collective: no MPI library has",
		"broadcast P=4 repeat=9 start=overlapped tick=1us": "want period=..., so that both begin equally often",
	} {
		ours, err := catalog.ParseLine(text)
		require.NoError(t, err)
		_, _, err = Native(&library{}, ours, 4)
		require.ErrorContains(t, err, says)
	}
}

// A library that gets it wrong, or fails, is told from one that is fast.
func TestWrongResultsAreSeen(t *testing.T) {
	for says, l := range map[string]*library{
		"rank 0: from process 0: byte 3 is 4": {wrong: "from process 0: byte 3 is 4"},
		"rank 0: no memory":                   {refuse: errors.New("no memory")},
		"rank 0: lost":                        {breaks: errors.New("lost")},
	} {
		run, _ := nativeOf(t, l, 2, "reduce P=2 tick=1us")
		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		require.Equal(t, guarantee.Broken, outcome.Verdict())
		require.Contains(t, outcome.Guarantees[0].Evidence, says)
	}
}

// Nothing is right about a rank that has left nothing, or the notes of something else.
func TestARankWithoutNotesHasDoneNothing(t *testing.T) {
	n := &native{repeat: 2, ranks: 2, left: []notes{{Begin: make([]clock.Time, 2), End: make([]clock.Time, 2)}, {}}}
	held, evidence := n.right(guarantee.Run{})
	require.False(t, held)
	require.Equal(t, "rank 1 has finished 0 of 2 calls", evidence)
	require.Nil(t, n.latencies(nil))
	require.ErrorContains(t, n.take(1, &notes{Begin: make([]clock.Time, 1)}), "1 beginnings and 0 ends, want 2")
	require.NoError(t, n.take(1, &notes{Begin: make([]clock.Time, 2), End: make([]clock.Time, 2), Wrong: "x"}))
	held, evidence = n.right(guarantee.Run{})
	require.False(t, held)
	require.Equal(t, "rank 1: x", evidence)
}

// Calls are measured from when one rank begins, or all are to, until the last one is done.
func TestLatenciesOfCalls(t *testing.T) {
	left := []notes{
		{Begin: []clock.Time{3, 102}, End: []clock.Time{9, 110}},
		{Begin: []clock.Time{1, 10}, End: []clock.Time{7, 131}},
	}
	for _, tt := range []struct {
		counterpart catalog.Counterpart
		repeat      int
		want        []float64
	}{
		{catalog.Counterpart{Operation: "Bcast"}, 2, []float64{6, 29}},
		{catalog.Counterpart{Operation: "Scatter", Root: 1}, 2, []float64{8, 121}},
		{catalog.Counterpart{Operation: "Alltoall"}, 2, []float64{9, 31}},
		{catalog.Counterpart{Operation: "Bcast"}, 1, []float64{9}},
	} {
		for _, lead := range []clock.Time{0, 1000} {
			n := &native{Counterpart: tt.counterpart, repeat: tt.repeat, period: 100, ranks: 2, lead: lead}
			for _, l := range left {
				n.left = append(n.left, notes{Begin: later(l.Begin[:tt.repeat], lead), End: later(l.End[:tt.repeat], lead)})
			}
			require.Equal(t, tt.want, n.latencies(nil), "%+v", tt)
		}
	}
}

func later(times []clock.Time, by clock.Time) (all []clock.Time) {
	for _, t := range times {
		all = append(all, t+by)
	}
	return all
}

// What goes through an operation is made before its time begins: that of four megabytes for each of sixteen processes takes half a second at most.
func TestBuffersAreMadeBeforeACall(t *testing.T) {
	require.EqualValues(t, 10_000_000/tick, leadFor(catalog.Counterpart{Operation: "Bcast"}, 1000))
	require.EqualValues(t, (10_000_000+2*16*1000*2)/tick, leadFor(catalog.Counterpart{Operation: "Reduce", Bytes: 1000}, 16))
	require.EqualValues(t, (10_000_000+2*16*16*(1<<18)*2)/tick, leadFor(catalog.Counterpart{Operation: "Alltoall", Bytes: 1 << 18}, 16))
}
