package emutest_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// pairs have rank n-1 greet rank 0, which waits for it if there are more than two.
func pairs(ranks int) emutest.Test {
	return emutest.Test{
		Machine: machine(ranks),
		Program: protocols.Program{Main: func(p protocols.Proc) {
			switch {
			case p.Rank() == p.Size()-1:
				p.Send(0, mailbox.Message{})
			case p.Rank() == 0 && p.Size() > 2:
				p.Recv(mailbox.Any)
			}
		}},
		Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
		Faults:     1, Exact: true,
	}
}

// runAll calls Run for several tests in one.
func runAll(t testing.TB, tests ...emutest.Test) *fakeTB {
	f := &fakeTB{TB: t, ctx: t.Context()}
	for _, test := range tests {
		if f.fatal == "" {
			f.run(test)
		}
	}
	return f
}

// nthOnly sets the flag for the length of a test.
func nthOnly(t *testing.T, nth string) {
	t.Helper()
	require.NoError(t, flag.Set("mangrove.run", nth))
	t.Cleanup(func() { require.NoError(t, flag.Set("mangrove.run", "0")) })
}

// What is kept for one machine is not run on another, which may not have such a rank.
func TestEachRunOfATestKeepsWhatItFinds(t *testing.T) {
	folder := keeping(t)
	f := runAll(t, pairs(2), pairs(4))
	require.Empty(t, f.fatal)
	require.Len(t, f.errors, 1)
	require.Contains(t, f.errors[0], "\nfaults: crash:3@t0 (the smallest found; ")
	require.Contains(t, f.errors[0], " -mangrove.faults='crash:3@t0' -mangrove.run=2\nkept in "+ofFake+"/run-2/")
	require.Contains(t, f.errors[0], "\npage: "+ofFake+"/run-2/")
	files := filesOf(t, folder)
	require.Len(t, files, 3)

	f = runAll(t, pairs(2), pairs(4)) // repeated, as -count does
	require.Empty(t, f.fatal)
	require.Len(t, f.errors, 1)
	require.Contains(t, f.errors[0], "\nfaults: crash:3@t0 (kept in "+ofFake+"/run-2/")
	require.NotContains(t, f.logs[0], "kept")
	require.Equal(t, "nothing else was tried: 1 of 1 kept schedule to be mended first", f.logs[1])
	require.Equal(t, files, filesOf(t, folder))
	for name, text := range files {
		if filepath.Ext(name) == ".html" && filepath.Dir(name) != "." {
			require.Contains(t, text, "<title>mangrove: run 2 of TestFake/some_case faults=crash:3@t0 seed=0</title>")
		}
	}

	// The other way round as well: what the first has kept is nothing to the second.
	require.NoError(t, os.RemoveAll(filepath.Join(folder, "testdata")))
	runAll(t, pairs(4), pairs(2))
	f = runAll(t, pairs(4), pairs(2))
	require.Empty(t, f.fatal)
	require.Contains(t, f.errors[0], "\nfaults: crash:3@t0 (kept in "+ofFake+"/")
	require.NotContains(t, f.errors[0], "run-2")
	require.NotContains(t, f.logs[1], "nothing else was tried")
}

// The command of a message runs what it is about.
func TestAFlagRunsOneOfSeveralRuns(t *testing.T) {
	folder := keeping(t)
	replayOnly(t, "crash:3")
	nthOnly(t, "2")
	viewOnly(t, "second.html")
	f := runAll(t, pairs(2), pairs(4), pairs(2))
	require.Equal(t, []string{"broken: termination\n    did not return: rank 0 in Recv(any) since t=0: no message is under way; rank 3 crashed at t=0"}, f.errors)
	require.Empty(t, f.fatal)
	require.Len(t, f.logs, 4)
	require.Equal(t, "left out, as it is run 1 of this test: -mangrove.run=2", f.logs[0])
	require.Contains(t, f.logs[1], "faults crash:3@t0")
	require.Equal(t, "left out, as it is run 3 of this test: -mangrove.run=2", f.logs[3])
	require.Contains(t, namesIn(t, folder), "second.html")

	nthOnly(t, "1")
	require.Equal(t, "-mangrove.faults=crash:3: crash:3@t0: rank 3, want 0 to 1", runAll(t, pairs(2), pairs(4)).fatal)
}

// Whoever asks for a schedule of the first Run does not want to hear that a later one cannot have it.
func TestAScheduleIsLeftOutByLaterRunsThatCannotHaveIt(t *testing.T) {
	replayOnly(t, "crash:3")
	f := runAll(t, pairs(4), pairs(2), pairs(4))
	require.Empty(t, f.fatal)
	require.Len(t, f.errors, 2)
	require.Len(t, f.logs, 3)
	require.Equal(t, "left out, as it is run 2 of this test, and the schedule that of another: -mangrove.faults=crash:3: crash:3@t0: rank 3, want 0 to 1", f.logs[1])
	require.NotEmpty(t, runAll(t, pairs(2), pairs(4)).fatal, "nobody has run it")
}

// A test that runs nothing would pass.
func TestARunThatIsNotThereIsRefused(t *testing.T) {
	replayOnly(t, "none")
	for nth, refused := range map[string][]string{"1": nil, "2": nil, "3": {"-mangrove.run=3: nothing was run, TestFake/some_case has 2 Runs"}} {
		nthOnly(t, nth)
		var f *fakeTB
		t.Run("inner", func(t *testing.T) { // at its end it is known
			f = runAll(t, pairs(2), pairs(4))
			require.Empty(t, f.errors)
		})
		require.Equal(t, refused, f.errors, nth)
	}
}

// Known keeps nothing, and is run by the same flags.
func TestKnownCountsAsARun(t *testing.T) {
	replayOnly(t, "crash:3")
	nthOnly(t, "2")
	f := &fakeTB{TB: t, ctx: t.Context()}
	emutest.Known(f, pairs(2))
	f.run(pairs(4))
	require.Equal(t, []string{"broken: termination\n    did not return: rank 0 in Recv(any) since t=0: no message is under way; rank 3 crashed at t=0"}, f.errors)
	require.Empty(t, f.fatal)
}

// uncounted is a test that is equal to nothing.
type uncounted struct {
	*fakeTB
	_ func()
}

func TestAWrapperThatCannotBeComparedIsRun(t *testing.T) {
	f := &fakeTB{TB: t, ctx: t.Context()}
	for range 2 {
		emutest.Run(uncounted{fakeTB: f}, pairs(2))
	}
	require.False(t, f.failed(), f.all())
	require.Len(t, f.logs, 2)
}
