package command

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/mpi"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMain makes this program mangrove itself if it is started as such: by a test, by launch, which
// starts the program that it is part of, or by mpirun.
func TestMain(m *testing.M) {
	if os.Getenv(asOwn) != "" {
		Main("rings", ownProtocols()...)
	}
	if processes, _ := mpi.Launched(); processes > 0 {
		saveEvery, comparedLines = 20*time.Millisecond, fewLines // jobs of tests are short
		os.Exit(exitStatus(ours, append(testProtocols(), protocolsOfJobs...)))
	}
	if len(os.Args) > 1 && slices.Contains([]string{"launch", "join", "worker", "agent"}, os.Args[1]) {
		os.Exit(exitStatus(ours, testProtocols()))
	}
	goleak.VerifyTestMain(m)
}

// protocolsOfJobs are for tests with mpirun.
var protocolsOfJobs scenarios.Registry

// result is what a command line leaves behind.
type result struct {
	stdout, stderr string
	status         int
}

// progressLines come after ten seconds, which depends on the machine.
var progressLines = regexp.MustCompile(`(?m)^mangrove: \d+ %, .*/s.*\n`)

// mangrove runs a command line.
func mangrove(args ...string) result {
	return mangroveWith(context.Background(), testProtocols(), args...)
}

func mangroveWith(ctx context.Context, g scenarios.Registry, args ...string) result {
	var stdout, stderr bytes.Buffer
	a := app{name: ours, registry: g, stdout: &stdout, stderr: &stderr}
	status := a.run(ctx, args)
	return result{stdout.String(), progressLines.ReplaceAllString(stderr.String(), ""), status}
}

// patience is how long tests wait for what must happen. It is much: machines may be busy.
const patience = 3 * time.Minute

// testProtocols has broadcast and some protocols that misbehave.
func testProtocols() scenarios.Registry {
	return append(catalog.All(),
		badProtocol("panics", func(protocols.Proc) { panic("boom") }),
		badProtocol("spins", func(p protocols.Proc) {
			for {
				p.Poll(mailbox.Any)
			}
		}),
		badProtocol("endless", func(p protocols.Proc) {
			for {
				p.WaitUntil(p.Now() + 1)
			}
		}),
		badProtocol("fickle", func(p protocols.Proc) { p.WaitUntil(clock.Time(outside.Add(1))); p.Step("now") }),
		badProtocol("deadlocks", func(p protocols.Proc) { p.Recv(mailbox.From(p.Size() - 1)) }),
	)
}

// outside is what a program must not look at.
var outside atomic.Int64

func badProtocol(name string, main func(protocols.Proc)) scenarios.Protocol {
	return scenarios.Protocol{Name: name, Build: func(s line.Settings) (scenarios.Experiment, error) {
		return scenarios.Experiment{Program: protocols.Program{Main: main}}, nil
	}}
}

// golden compares text with a file in testdata. What is measured is left out.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = measured.ReplaceAllString(got, "measured: ...\n")
	got = measuredJSON.ReplaceAllString(got, "$1...")
	path := filepath.Join("testdata", name+".golden")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "run with -update to rewrite %s", path)
}

var (
	measured     = regexp.MustCompile(`(?m)^measured: .*\n`)
	measuredJSON = regexp.MustCompile(`("wall_ns":|"bytes_per_rank":)\d+`)
)

// line80 fails for text that is wider than 80 columns.
func line80(t *testing.T, text string) {
	t.Helper()
	for line := range bytes.Lines([]byte(text)) {
		assert.LessOrEqual(t, len(bytes.TrimRight(line, "\n")), 80, "%s", line)
	}
}

// telling is a registry whose broadcasts tell how many runs of them have begun.
func telling(tell func(runs int64)) scenarios.Registry {
	var runs atomic.Int64
	registry := testProtocols()
	build := registry[0].Build
	registry[0].Build = func(s line.Settings) (scenarios.Experiment, error) {
		e, err := build(s)
		e.State = scenarios.PerRank[int]{Forget: func() { tell(runs.Add(1)) }}
		return e, err
	}
	return registry
}

// interruptedInRun runs a command line about a broadcast that the user ends in the n-th run.
func interruptedInRun(n int64, args ...string) result {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return mangroveWith(ctx, telling(func(runs int64) {
		if runs == n {
			cancel()
		}
	}), args...)
}

func requireFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.Equal(t, want, names)
}
