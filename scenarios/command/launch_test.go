package command

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALineIsLaunchedOnProcesses(t *testing.T) {
	got := mangrove("launch", "-n", "5", "collective", "op=allreduce", "faults=crash:3@send1")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Empty(t, got.stderr)
	assert.True(t, strings.HasPrefix(got.stdout, "collective op=allreduce faults=crash:3@send1 P=5 tick=5ms\n\n"), got.stdout)
	assert.Contains(t, got.stdout, "\nfailed       1\n              rank 3 crashed at t=")
	assert.Contains(t, got.stdout, "\nprocesses    5\n")
	assert.Contains(t, got.stdout, "\nheld         results are those of a run without failures: ")
	assert.NotContains(t, got.stdout, "hash")
}

// Several ranks may live in a process.
func TestFewerProcessesThanRanks(t *testing.T) {
	got := mangrove("launch", "-n", "2", "collective", "P=9", "faults=crash:3@send1,hang:~1@t900", "--encrypt")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "\nprocesses    2\n")
	assert.Contains(t, got.stdout, "rank 3 crashed at t=")
	assert.Contains(t, got.stdout, "\nnever fired  1\n")
}

func TestWhatCannotBeLaunchedExitsWith2(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-n 0 broadcast", "--processes 0: want a whole number from 1 to 4096"},
		{"-n 5000 broadcast", "--processes 5000: want a whole number from 1 to 4096"},
		{"-n -3 broadcast", "--processes -3: want a whole number from 1 to 4096"},
		{"-n many broadcast", "--processes many: want a whole number from 1 to 4096"},
		{"-n 8 broadcast P=4", "8 processes, want 1 to 4, the number of ranks P"},
		{"broadcast P=5000", "-n: 5000 processes, want 1 to 4096"},
		{"broadcast", "-n: want a number of processes, or P=... on the line"},
		{"-n 4", "empty line, want a protocol"},
		{"", "empty line, want a protocol"},
		{"-n 4 chatter", `unknown protocol "chatter"`},
		{"-n 4 broadcast colour=red", `unknown key "colour", broadcast has tree, k, `},
		{"-n 4 broadcast L=0", `"L=0": want a number from 1 to`},
		{"-n 4 broadcast faults=crash:4", "rank 4, want 0 to 3"},
		{"-n 4 broadcast faults<=2", `"faults<=2": a line has its faults`},
		{"-n 4 broadcast tick=none", "ticks have no length; want one, such as tick=5ms"},
		{"-n 4 collective detector=wrong", "detector=wrong: nobody is taken for failed on processes who is not; want perfect, delayed, heartbeat or uneven"},
		{"-n 4 broadcast --pace x", "--pace x: want free, sends or model"},
		{"-n 4 broadcast --runs 0", "--runs 0: want a whole number from 1 to 1000000"},
		{"-n 4 broadcast --timeout x", "--timeout x: want a time such as 30s or 5m, 0 or more"},
		{"-n 4 broadcast --patience -1s", "--patience -1s: want a time such as 30s or 5m, 0 or more"},
		{"-n 4 broadcast --hosts=", "--hosts '': want names such as a, user@a or a=10.0.0.2, with commas between them"},
		{"-n 4 broadcast --hosts a,,b", "--hosts a,,b: want names such as a, user@a or a=10.0.0.2"},
		{"-n 4 broadcast --hosts a=", "--hosts a=: want names"},
		{"-n 4 broadcast --hosts a=b=c", "--hosts a=b=c: want names"},
		{"-n 4 broadcast --hosts a,-oProxyCommand=x", "--hosts a,-oProxyCommand=x: want names"},
		{"-n 4 broadcast --hosts a,c@b", "--hosts a,c@b: want --listen, too: the address of this host that they reach, such as 10.0.0.1:0"},
		{"-n 4 broadcast --hosts a --listen :0", "--listen :0: want the address of this host that others reach, such as 10.0.0.1:0"},
		{"-n 4 broadcast --hosts a --listen 0.0.0.0:0", "--listen 0.0.0.0:0: want the address of this host that others reach"},
		{"-n 4 broadcast --listen here", "--listen here: want host:port, such as 10.0.0.1:0"},
		{"-n 4 broadcast --listen 127.0.0.1:99999", "99999: invalid port"},
		{"-n 4 broadcast --bogus", "unknown flag: --bogus"},
	} {
		t.Run(c.args, func(t *testing.T) {
			got := mangrove(append([]string{"launch"}, strings.Fields(c.args)...)...)
			assert.Equal(t, 2, got.status)
			assert.True(t, strings.HasPrefix(got.stderr, "mangrove: "), got.stderr)
			assert.Contains(t, got.stderr, c.want)
			assert.Empty(t, got.stdout)
		})
	}
}

// fieldsOf are the names in a JSON object, those of what is in it included.
func fieldsOf(t *testing.T, text string) (names []string) {
	t.Helper()
	var object map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &object), text)
	names = slices.Collect(maps.Keys(object))
	report, ok := object["report"].(map[string]any)
	require.True(t, ok)
	for name := range report {
		names = append(names, "report."+name)
	}
	slices.Sort(names)
	return names
}

// All fields but those that nobody has recorded on processes.
func TestALaunchedRunIsTheSameInJSON(t *testing.T) {
	line := []string{"big", "P=4", "tick=5ms", "faults=crash:2@send1"}
	launched := mangrove(slices.Concat([]string{"launch", "--json"}, line)...)
	require.Equal(t, 0, launched.status, launched.stderr)
	emulated := mangrove(slices.Concat([]string{"run", "--json"}, line)...)
	require.Equal(t, 0, emulated.status)

	fields := fieldsOf(t, launched.stdout)
	assert.Contains(t, fields, "processes")
	fields = slices.DeleteFunc(fields, func(name string) bool {
		return slices.Contains([]string{"processes", "late", "report.clock_error_ns"}, name)
	})
	unrecorded := []string{"report.windows", "report.wakes", "report.hash", "report.bytes_per_rank"}
	fields = append(fields, unrecorded...)
	slices.Sort(fields)
	assert.Equal(t, fieldsOf(t, emulated.stdout), fields, "each of them once")
	assert.Contains(t, launched.stdout, `"processes":4`)
	assert.Contains(t, launched.stdout, `"clock_error_ns":`)
	assert.NotContains(t, emulated.stdout, `"processes"`)
	assert.Contains(t, launched.stdout, `"failed":[{"rank":2,"outcome":"crashed","time":`)
}

func TestRunsOfALaunchAreSummedUp(t *testing.T) {
	got := mangrove("launch", "-n", "4", "big", "faults=crash:3@recv1", "seed=5", "--runs", "3")
	require.Equal(t, 0, got.status, got.stderr)
	assert.True(t, strings.HasPrefix(got.stdout, "3 runs on 4 processes, 3 failed ranks in all, 0 broken, 0 too late to judge, 0 not claimed\n\n"), got.stdout)
	for _, name := range []string{"median", "lowest", "highest", "\nmessages ", "\ncolouring ", "\nquiescence ", "\nexit "} {
		assert.Contains(t, got.stdout, name)
	}
	assert.NotContains(t, got.stdout, "emulated")

	lines := mangrove("launch", "-n", "4", "big", "seed=5", "--runs", "3", "--json")
	require.Equal(t, 0, lines.status, lines.stderr)
	var seeds []float64
	for line := range strings.Lines(lines.stdout) {
		var o struct{ Report struct{ Seed float64 } }
		require.NoError(t, json.Unmarshal([]byte(line), &o))
		seeds = append(seeds, o.Report.Seed)
	}
	assert.Equal(t, []float64{5, 6, 7}, seeds)
}

func TestALaunchIsComparedWithTheEmulator(t *testing.T) {
	got := mangrove("launch", "-n", "4", "multitree", "--pace", "model", "--compare")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "\n1 run on 4 processes, 0 failed ranks in all, 0 broken, 0 too late to judge, 0 not claimed\n")
	assert.Contains(t, got.stdout, "emulated")
	assert.Contains(t, got.stdout, "ratio\n")
	assert.Regexp(t, `(?m)^messages +6 +6 +6 +6 +1\.00$`, got.stdout)
	assert.Regexp(t, `(?m)^quiescence .* \d+\.\d\d$`, got.stdout)
}

// Rank 1 of a tree without correction dies with what its children were to get.
func TestABrokenGuaranteeOfALaunchExitsWith1(t *testing.T) {
	broken := []string{"launch", "-n", "4", "broadcast", "correction=none", "faults=crash:1@recv1"}
	got := mangrove(broken...)
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.stdout, "\nBROKEN       reaches every live rank: ")
	assert.Contains(t, got.stdout, "\nagain: mangrove launch -n 4 broadcast correction=none faults=crash:1@recv1 P=4 tick=5ms\n")

	got = mangrove(append(broken, "--runs", "2", "--pace", "model", "--encrypt")...)
	assert.Equal(t, 1, got.status)
	assert.Equal(t, 2, strings.Count(got.stdout, "\nagain: "))
	again := "\nagain: mangrove launch -n 4 --encrypt --pace model broadcast correction=none faults=crash:1@recv1 P=4 tick=5ms"
	assert.Contains(t, got.stdout, again+"\n")
	assert.Contains(t, got.stdout, again+" seed=1\n", "the second run is seen again by its seed")
	assert.Contains(t, got.stdout, "2 runs on 4 processes, 2 failed ranks in all, 2 broken, 0 too late to judge, 0 not claimed\n")

	got = mangrove(append(broken, "--json")...)
	assert.Equal(t, 1, got.status)
	assert.Equal(t, "again: mangrove launch -n 4 --json broadcast correction=none faults=crash:1@recv1 P=4 tick=5ms\n", got.stderr)
	assert.Contains(t, got.stdout, `"held":false`)
}

func TestALaunchThatFailsExitsWith1AndSaysHowToRepeatIt(t *testing.T) {
	for _, c := range []struct {
		args, want, again string
	}{
		{"launch -n 3 panics", ` panicked at t=\d+: boom`, "again: mangrove launch -n 3 panics P=3 tick=5ms\n"},
		{"launch -n 3 endless --timeout 200ms", "the run is not over after 200ms", "again: mangrove launch -n 3 --timeout 200ms endless P=3 tick=5ms\n"},
		{"launch -n 3 broadcast --hosts a --listen 127.0.0.1:0 --ssh /no/such/shell", "host a: fork/exec /no/such/shell: no such file or directory", "again: mangrove launch -n 3 --hosts a --listen 127.0.0.1:0 --ssh /no/such/shell broadcast P=3 tick=5ms\n"},
	} {
		got := mangrove(strings.Fields(c.args)...)
		assert.Equal(t, 1, got.status, c.args)
		assert.Regexp(t, c.want, got.stderr)
		assert.True(t, strings.HasSuffix(got.stderr, c.again), got.stderr)
		assert.Empty(t, got.stdout)
	}
}

// The shell takes all hosts for this one.
func TestALineIsLaunchedOnHosts(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	shell := filepath.Join(t.TempDir(), "shell")
	require.NoError(t, os.WriteFile(shell, []byte("#!/bin/sh\nshift\nexec \"$@\"\n"), 0o755))
	got := mangrove("launch", "-n", "4", "collective", "faults=crash:2@send1",
		"--hosts", "me@a=127.0.0.1,b=127.0.0.1", "--listen", "127.0.0.1:0", "--ssh", shell, "--agent", self+" agent")
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "rank 2 crashed at t=")
	assert.Contains(t, got.stdout, "\nprocesses    4\n")
}
