package command

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/carriertest"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// library has operations that take no time.
type library struct{ wrong string }

func (library) Library() string { return "None 1.0" }

func (l library) Prepare(string, int, int, byte) (do func() error, wrong func() string, err error) {
	return func() error { return nil }, func() string { return l.wrong }, nil
}

// besideLibrary has so many processes of a job join a run beside what a library has of its own.
func besideLibrary(t *testing.T, processes int, l library, words ...string) []result {
	t.Helper()
	carriers := carriertest.New(processes)
	args := slices.Repeat([][]string{append([]string{"join"}, words...)}, processes)
	return inJobOfApps(t, args, func(i int) app {
		return app{name: ours, registry: catalog.All(), carrier: carriers[i], engine: l, doomed: "it would end"}
	})
}

func TestALineBesideTheLibrarysOwn(t *testing.T) {
	all := besideLibrary(t, 3, library{}, "broadcast", "correction=none", "repeat=4", "period=2ms", "bytes=64", "native=MPI_Bcast", "--turns", "2")
	require.Equal(t, statusHeld, all[0].status, "%+v", all)
	require.Contains(t, all[0].stdout, "broadcast correction=none repeat=4 period=2ms bytes=64 P=3 tick=1us\nby turns with MPI_Bcast of 64 bytes in None 1.0, on 3 processes; 2 turns\n")
	require.Regexp(t, `(?m)^ours +[\d.]+ +[\d.]+ to [\d.]+ +[\d.]+ +[\d.]+ +8$`, all[0].stdout)
	require.Regexp(t, `(?m)^MPI_Bcast +[\d.]+ +[\d.]+ to [\d.]+ +[\d.]+ +[\d.]+ +8$`, all[0].stdout)
	require.Contains(t, all[0].stdout, "ours: 2 runs, 0 broken, 0 too late to judge, 0 not claimed, 0 failed ranks\n")
	for _, r := range all[1:] {
		require.Equal(t, result{}, r)
	}
}

// Ranks fail without their processes, which are needed for the next turn, and broken promises are told by the exit status.
func TestALineThatFailsBesideTheLibrarysOwn(t *testing.T) {
	all := besideLibrary(t, 3, library{}, "broadcast", "start=overlapped", "faults=crash:1@send1", "native=same", "--turns", "2", "--json")
	require.Equal(t, statusHeld, all[0].status, "%+v", all)
	type sample struct {
		Median float64
		Calls  int
	}
	var o struct {
		Library, Operation, Verdict string
		Ours                        sample    `json:"ours_ns"`
		Native                      sample    `json:"native_ns"`
		Ratio                       []float64 `json:"ratio"`
		Turns                       []struct {
			Ours []float64 `json:"ours_ns"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(all[0].stdout), &o), all[0].stdout)
	require.Equal(t, "None 1.0", o.Library)
	require.Equal(t, "MPI_Bcast", o.Operation)
	require.Equal(t, "held", o.Verdict)
	require.Equal(t, 2, o.Ours.Calls)
	require.Equal(t, 2, o.Native.Calls)
	require.Positive(t, o.Ours.Median)
	require.Len(t, o.Ratio, 3)
	require.Len(t, o.Turns, 2)

	all = besideLibrary(t, 3, library{}, "broadcast", "correction=none", "faults=crash:2", "root=1", "native=same", "--turns", "1")
	require.Equal(t, statusHeld, all[0].status, "a leaf fails: %+v", all)
	all = besideLibrary(t, 4, library{}, "broadcast", "correction=none", "faults=crash:1@send1", "native=same", "--turns", "1")
	require.NotEqual(t, statusHeld, all[0].status, "nobody promises that: %+v", all)
	require.Contains(t, all[0].stdout, "1 failed rank\n")
}

func TestALibraryThatIsWrong(t *testing.T) {
	all := besideLibrary(t, 2, library{"byte 3 is 4"}, "broadcast", "correction=none", "native=same", "--turns", "3")
	require.Equal(t, statusBroken, all[0].status, "%+v", all)
	require.Contains(t, all[0].stderr, "the library's own operation: rank 0: byte 3 is 4")
	require.Contains(t, all[0].stderr, "again: mpirun -n 2 mangrove join --turns 3 broadcast correction=none P=2 tick=1us native=same")
}

func TestWhatIsNotRunBesideALibrary(t *testing.T) {
	for _, tt := range []struct {
		words []string
		says  string
	}{
		{[]string{"broadcast", "native="}, "native=: want same, or the name of an MPI operation, such as bcast"},
		{[]string{"broadcast", "native=same", "native=bcast"}, "native is set twice"},
		{[]string{"broadcast", "native=reduce"}, "native=reduce: want same, or bcast, which does what this line does"},
		{[]string{"membership", "native=same"}, "native=same: membership: no MPI library has an operation that does this"},
		{[]string{"broadcast", "native=same", "--trace", "x"}, "--trace x: want it without native=..., which has many runs"},
		{[]string{"broadcast", "native=same", "--turns", "0"}, "want a whole number from 1 to 10000"},
		{[]string{"broadcast", "--turns", "5"}, "--turns: want native=... with it"},
		{[]string{"broadcast", "repeat=3", "start=overlapped", "native=same"}, "want period=..., so that both begin equally often"},
	} {
		all := besideLibrary(t, 2, library{}, tt.words...)
		require.Equal(t, statusInput, all[0].status, "%+v", all)
		require.Contains(t, all[0].stderr, tt.says)
		require.Equal(t, statusInput, all[1].status)
		require.Empty(t, all[1].stderr)
	}
}

// Where there is no library, it is said what to do.
func TestNoLibraryHere(t *testing.T) {
	for _, args := range [][]string{
		{"join", "--peers", "a:1,b:2", "broadcast", "native=same"},
		{"join", "broadcast", "--turns", "4"},
		{"launch", "-n", "2", "broadcast", "native=same"},
	} {
		got := mangrove(args...)
		require.Equal(t, statusInput, got.status)
		require.Contains(t, got.stderr, "there is no MPI library here; want mpirun -n N mangrove join ...", args)
	}
	all := joinInJob(t, 2, "", "broadcast", "native=same")
	require.Equal(t, statusInput, all[0].status)
	require.Contains(t, all[0].stderr, "there is no MPI library here")
}

// stuckLibrary has operations that wait for somebody who does not come, until the job is ended.
type stuckLibrary struct {
	library
	ended chan struct{}
}

func (l stuckLibrary) Prepare(string, int, int, byte) (do func() error, wrong func() string, err error) {
	return func() error { <-l.ended; return errors.New("the job has ended") }, func() string { return "" }, nil
}

// Nothing but the end of the job brings back who waits in the library.
func TestALibraryThatDoesNotReturnIsEnded(t *testing.T) {
	l := stuckLibrary{ended: make(chan struct{})}
	var end sync.Once
	var status atomic.Int64
	carriers := carriertest.New(2)
	args := slices.Repeat([][]string{{"join", "broadcast", "correction=none", "native=same", "--timeout", "500ms"}}, 2)
	all := inJobOfApps(t, args, func(i int) app {
		return app{name: ours, registry: catalog.All(), carrier: carriers[i], engine: l, doomed: "it would end", stuckAfter: 100 * time.Millisecond, abort: func(with int) {
			end.Do(func() { status.Store(int64(with)); close(l.ended) })
		}}
	})
	require.EqualValues(t, statusBroken, status.Load())
	require.Contains(t, all[0].stderr+all[1].stderr, "of 2: MPI_Bcast is not over after 500ms; all processes of the job are ended\n")
}

// What was broken is told in full, with how to see it again: on standard output, or beside JSON.
func TestABrokenLineBesideTheLibrarysOwnIsTold(t *testing.T) {
	for _, json := range []bool{false, true} {
		words := []string{"broadcast", "correction=none", "start=overlapped", "faults=crash:1@send1", "native=same", "--turns", "2"}
		if json {
			words = append(words, "--json")
		}
		all := besideLibrary(t, 4, library{}, words...)
		told := all[0].stdout
		if json {
			told = all[0].stderr
		}
		require.Equal(t, statusBroken, all[0].status, "%+v", all)
		require.Contains(t, told, "BROKEN       reaches every live rank: rank 3 never reached")
		require.Contains(t, told, "again: mpirun -n 4 mangrove join ")
		require.Contains(t, told, " native=same\n")
		require.Equal(t, json, strings.HasPrefix(all[0].stdout, "{"))
	}
}
