package emutest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
)

// runKnown runs a test of what is known to break and returns what it reported.
func runKnown(t *testing.T, test emutest.Test, breaks ...emutest.Break) *fakeTB {
	t.Helper()
	f := &fakeTB{TB: t, ctx: t.Context()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		emutest.Known(f, test, breaks...)
	}()
	<-done
	return f
}

var ringBreaks = []emutest.Break{{Promise: "no deadlock", Faults: "crash:1"}, {Promise: "reaches every live rank", Faults: "crash:1@t0"}}

func TestWhatIsKnownToBreakPassesAndIsLogged(t *testing.T) {
	folder := keeping(t)
	keepFile(t, folder, "mine", "no schedule") // which belongs to Run
	f := runKnown(t, ringTest(1, 1), ringBreaks...)
	require.False(t, f.failed(), f.all())
	require.Equal(t, []string{`faults: crash:1@t0
broken: reaches every live rank: ranks 2, 3 and 4 never reached
broken: no deadlock: ranks 2, 3 and 4 waiting for ever`}, f.logs)
	require.Len(t, filesOf(t, folder), 1)
}

func TestWhatIsKnownAndNotFoundFails(t *testing.T) {
	f := runKnown(t, ringTest(2, 1), ringBreaks[0])
	require.Equal(t, []string{"known to break, and not found in 47 runs: no deadlock, by crash:1@t0"}, f.errors)
	f = runKnown(t, ringTest(1, 1), ringBreaks[0], ringBreaks[1], emutest.Break{Promise: "no deadlock", Faults: "hang:1"})
	require.Equal(t, []string{"known to break, and not found in 35 runs: no deadlock, by hang:1@t0"}, f.errors)
}

func TestWhatIsFoundAndNotKnownFails(t *testing.T) {
	f := runKnown(t, ringTest(1, 1), ringBreaks[0])
	require.Equal(t, []string{"broken, and not known: reaches every live rank, by crash:1@t0"}, f.errors)
}

// Within what is claimed is another thing than beyond it.
func TestWhatIsKnownIsBeyondWhatIsClaimedOrNot(t *testing.T) {
	test := ringTest(1, 1)
	nobodyFails := guarantee.Premise{Says: "nobody fails", Unmet: func(run guarantee.Run) string {
		if run.Report.NobodyFailed() {
			return ""
		}
		return "somebody did"
	}}
	test.Guarantees = []guarantee.Guarantee{guarantee.Promise{Guarantee: guarantee.NoDeadlock{}, Stands: []guarantee.Premise{nobodyFails}}}
	beyond := ringBreaks[0]
	beyond.Beyond = true
	require.False(t, runKnown(t, test, beyond).failed())
	f := runKnown(t, test, ringBreaks[0])
	require.Equal(t, []string{
		"known to break, and not found in 35 runs: no deadlock, by crash:1@t0",
		"broken, and not known: no deadlock, by crash:1@t0, beyond what is claimed",
	}, f.errors)
}

// The seed is logged if it is not that of the test.
func TestWhatIsKnownMayTakeAnotherSeed(t *testing.T) {
	f := runKnown(t, unlucky(), emutest.Break{Promise: "luck", Faults: "crash:0"})
	require.False(t, f.failed(), f.all())
	require.Equal(t, []string{"faults: crash:0@t0, seed: 5\nbroken: luck: bad luck"}, f.logs)
}

func TestWhatBreaksWithoutFaultsMayBeKnown(t *testing.T) {
	test := ringTest(1, 1)
	test.Guarantees = []guarantee.Guarantee{guarantee.Termination{By: 3}}
	require.False(t, runKnown(t, test, emutest.Break{Promise: "termination by t=3"}).failed())
}

func TestWhatCannotBeKnownIsRefused(t *testing.T) {
	test := ringTest(1, 1)
	require.Equal(t, "emutest: Known without a Break, want what is known to break; Run is for protocols of which nothing is", runKnown(t, test).fatal)
	require.Contains(t, runKnown(t, test, emutest.Break{Promise: "a", Faults: "crash:9"}).fatal, `emutest: Break of "a": faults: crash:9@t0: rank 9, want 0 to 4`)
	test.Machine = machine(0)
	require.Contains(t, runKnown(t, test, ringBreaks...).fatal, "emutest: Machine: ")
}

func TestFlagsOfOneRunAreForWhatIsKnownToo(t *testing.T) {
	replayOnly(t, "crash:3@send1")
	f := runKnown(t, ringTest(1, 1), ringBreaks...)
	require.Contains(t, f.all(), "rank 4 never reached")
	require.Contains(t, f.logs[0], "faults crash:3@send1\n")
}
