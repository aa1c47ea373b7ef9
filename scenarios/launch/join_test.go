package launch_test

import (
	"context"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// freeAddresses are some at which nobody listens. Linux has many for this host; others take only the first.
func freeAddresses(t *testing.T, n int) (all []string) {
	t.Helper()
	host := "127.0.0.1"
	if runtime.GOOS == "linux" {
		host = "127.0.0.3"
	}
	for range n {
		l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
		require.NoError(t, err)
		defer l.Close() // when all are known
		all = append(all, l.Addr().String())
	}
	return all
}

// join takes part in a job with each of these lines in a process, all of them goroutines of this one, and returns what
// process 0 says and how all have ended.
func join(t *testing.T, ctx context.Context, o launch.JoinOptions, lines ...string) (outcome *scenarios.Outcome, ends []error) {
	t.Helper()
	o.Job, o.Addresses = wire.NewJob(), freeAddresses(t, len(lines))
	type end struct {
		process int
		outcome *scenarios.Outcome
		err     error
	}
	all := make(chan end, len(lines))
	for process, text := range lines {
		run, err := registry().ParseLine(text)
		require.NoError(t, err)
		o := o
		o.Process = process
		go func() {
			outcome, err := launch.Join(ctx, run, o)
			all <- end{process, outcome, err}
		}()
	}
	ends = make([]error, len(lines))
	for range lines {
		e := <-all
		ends[e.process] = e.err
		if e.process == 0 {
			outcome = e.outcome
		} else {
			require.Nil(t, e.outcome, "one says how it went")
		}
	}
	return outcome, ends
}

func TestProcessesThatFindEachOtherRunALine(t *testing.T) {
	t.Parallel()
	const text = "broadcast P=6 correction=none tick=1000s faults=crash:1@send1,hang:5"
	for _, encrypt := range []bool{false, true} {
		outcome, ends := join(t, t.Context(), launch.JoinOptions{Encrypt: encrypt, Timeout: patience}, text, text)
		require.Equal(t, []error{nil, nil}, ends)
		require.Equal(t, 2, outcome.Processes)
		require.Len(t, outcome.Report.Failed, 2)
		require.Equal(t, guarantee.Broken, outcome.Verdict(), "it has no correction")
		require.Empty(t, outcome.Notes)
		require.Equal(t, int64(3), outcome.Report.Messages)
	}
}

// Whoever does not come is waited for, but not for ever; and all must run the same.
func TestProcessesThatDoNotFindEachOtherGiveUp(t *testing.T) {
	// Not beside others: these could be given the addresses that nobody uses here yet.
	run, err := registry().ParseLine("broadcast P=2 tick=5ms")
	require.NoError(t, err)
	_, err = launch.Join(t.Context(), run, launch.JoinOptions{Job: wire.NewJob(), Addresses: freeAddresses(t, 2), Timeout: 50 * time.Millisecond})
	require.ErrorIs(t, err, launch.ErrTimeout)
	require.ErrorContains(t, err, "launch: the run is not over after 50ms: ")
	require.ErrorContains(t, err, " not joined")
	addresses := freeAddresses(t, 2)
	_, err = launch.Join(t.Context(), run, launch.JoinOptions{Job: wire.NewJob(), Process: 1, Addresses: addresses, Timeout: 500 * time.Millisecond}) // to try more than once
	require.EqualError(t, err, "launch: the run is not over after 500ms: process 1 cannot join process 0 at "+addresses[0]+": nobody listens there")
	require.ErrorIs(t, err, launch.ErrTimeout)
	_, ends := join(t, t.Context(), launch.JoinOptions{Timeout: patience}, "broadcast P=2 tick=5ms", "broadcast P=2 tick=6ms")
	require.ErrorContains(t, ends[0], "all must run the same")
	require.Error(t, ends[1])
}

func TestWhatCannotBeJoinedIsRefused(t *testing.T) {
	for _, c := range []struct {
		line               string
		process, addresses int
		says               string
	}{
		{"broadcast P=4 tick=5ms", 2, 2, "process 2, want 0 to 1: one for each address"},
		{"broadcast P=4 tick=5ms", -1, 2, "process -1, want 0 to 1: one for each address"},
		{"broadcast P=4 tick=5ms", 0, 5, "5 processes, want 1 to 4, the number of ranks P"},
		{"broadcast P=4 tick=5ms faults=hang:1", 0, 4, "nobody would end the stopped process"},
		{"membership P=4 tick=5ms faults=crash:1@t5,rejoin:1@t9", 0, 4, "nobody would start the process again"},
		{"broadcast P=4", 0, 2, "ticks have no length; want one, such as tick=5ms"},
	} {
		run, err := registry().ParseLine(c.line)
		require.NoError(t, err, c.line)
		o := launch.JoinOptions{Job: wire.NewJob(), Process: c.process, Addresses: make([]string, c.addresses)}
		_, err = launch.Join(t.Context(), run, o)
		require.ErrorContains(t, err, c.says)
		var refused *line.InputError
		require.ErrorAs(t, err, &refused)
	}
}
