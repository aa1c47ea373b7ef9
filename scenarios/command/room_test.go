package command

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// onHosts runs a command line on a process for each of these hosts, which have as much memory as is said there.
func onHosts(t *testing.T, memory map[string]int64, hosts []string, args ...string) []result {
	t.Helper()
	return inJobOfApps(t, slices.Repeat([][]string{args}, len(hosts)), func(i int) app {
		return app{name: ours, registry: catalog.All(), limits: []emu.Limit{{ID: hosts[i], Name: "host " + hosts[i], Bytes: memory[hosts[i]]}}}
	})
}

const megabyte = 1 << 20

func TestTooManyRanksAreRefusedWithTheMostThatFit(t *testing.T) {
	a := map[string]int64{"a": 100 * megabyte}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "broadcast", "P=2147483647"}, "not enough memory for P=2147483647: about 7086.7 GB, and host a has 0.1 GB left; want P=31775 or less"},
		{[]string{"run", "broadcast", "P=31776"}, "not enough memory for P=31776: about 0.1 GB, and host a has 0.1 GB left; want P=31775 or less"},
		{[]string{"replay", "broadcast P=31776"}, "not enough memory for P=31776: about 0.1 GB, and host a has 0.1 GB left; want P=31775 or less"},
		{[]string{"run", "broadcast", "P=40000", "faults=crash:10%"}, "not enough memory for P=40000: about 0.1 GB, and host a has 0.1 GB left; want P=28263 or less"},
		{[]string{"run", "broadcast", "P=20000", "--trace", "refused"}, "not enough memory for P=20000: about 0.2 GB, and host a has 0.1 GB left; want P=10591 or less"},
		{[]string{"view", "broadcast", "P=20000", "--out", "refused"}, "not enough memory for P=20000: about 0.2 GB, and host a has 0.1 GB left; want P=10591 or less"},
		{[]string{"run", "ulfm", "P=30000"}, "not enough memory for P=30000: about 0.2 GB, and host a has 0.1 GB left; want P=13848 or less"},
	} {
		t.Chdir(t.TempDir())
		got := onHosts(t, a, []string{"a"}, c.args...)[0]
		require.Equal(t, result{"", "mangrove: " + c.want + "\n", statusInput}, got, c.args)
		require.NoFileExists(t, "refused")
	}
}

// Processes on one host share its memory. All of them refuse, and the first one says so.
func TestProcessesOfAJobRefuseTogetherWhatDoesNotFit(t *testing.T) {
	memory, hosts := map[string]int64{"a": 4 * megabyte, "b": 3 * megabyte}, []string{"a", "b", "a"}
	t.Chdir(t.TempDir())
	for i, got := range onHosts(t, memory, hosts, "run", "broadcast", "P=1906", "--trace", "refused") {
		want := result{status: statusInput}
		if i == 0 {
			want.stderr = "mangrove: not enough memory for P=1906: about 0.0 GB for 2 of 3 processes, and host a has 0.0 GB left; want P=316 or less, as all processes have equally many ranks\n"
		}
		require.Equal(t, want, got, i)
	}
	require.NoFileExists(t, "refused")
	for i, got := range onHosts(t, memory, hosts, "run", "broadcast", "P=1905") {
		require.Equal(t, statusHeld, got.status, "%d: %s", i, got.stderr)
	}
	refused := onHosts(t, memory, hosts, "run", "broadcast", "P=1906")[0]
	require.Contains(t, refused.stderr, "want P=1905 or less")
}

// Where nobody knows how much memory there is, what no process can number is refused.
func TestAProcessIsRefusedMoreRanksThanItCanNumber(t *testing.T) {
	var stderr bytes.Buffer
	a := app{name: ours, registry: catalog.All(), stdout: os.Stdout, stderr: &stderr, limits: []emu.Limit{}}
	require.Equal(t, statusInput, a.run(t.Context(), []string{"run", "broadcast", "P=2147483647"}))
	require.Equal(t, "mangrove: P=2147483647 ranks in 1 process: one process can have up to 268435456 of them; want 8 processes or more\n", stderr.String())
}
