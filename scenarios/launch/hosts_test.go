package launch_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// hereShell makes a shell as ssh is one, but for hosts that are all this one.
func hereShell(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shell")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\nshift\nexec \"$@\"\n"), 0o755))
	return path
}

func onHosts(t *testing.T) launch.Options {
	t.Helper()
	return withHosts(launch.Options{Pace: tcp.Sends}, hereShell(t), label(t))
}

func TestALineRunsOnSeveralHosts(t *testing.T) {
	t.Parallel()
	launched(t, "broadcast P=7 tick=5ms L=4 faults=crash:3@send2,hang:5@t5", onHosts(t), func(o *scenarios.Outcome) error {
		return errors.Join(held(o), same("failed", 2, len(o.Report.Failed)), same("notes", 0, len(o.Notes)))
	})
	launched(t, "tpch-q3 sf=0.001 generate=0 P=5 tick=5ms", onHosts(t), held)
	o := onHosts(t)
	o.Processes, o.Encrypt = 3, true
	launched(t, "allreduce P=9 tick=5ms L=4", o, held)
}

func TestARankComesBackOnItsHost(t *testing.T) {
	t.Parallel()
	launched(t, "membership P=6 tick=1ms every=30 until=1500 faults=crash:5@t20,rejoin:5@t150,hang:4@t30,rejoin:4@t160", onHosts(t), func(o *scenarios.Outcome) error {
		return errors.Join(held(o), cameBack(o, 2))
	})
}

func TestAHostThatCannotBeReachedIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shell")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho \"$1: no route to host\" >&2\nexit 255\n"), 0o755))
	_, err := begin(t, t.Context(), "broadcast P=4 tick=5ms", withHosts(launch.Options{}, path, label(t))).wait(t)
	require.ErrorContains(t, err, "no route to host")
	requireNoneLeft(t)

	_, err = begin(t, t.Context(), "broadcast P=4 tick=5ms", withHosts(launch.Options{}, "/no/such/shell", label(t))).wait(t)
	require.ErrorContains(t, err, "host a: fork/exec /no/such/shell: no such file or directory")
	requireNoneLeft(t)
}
