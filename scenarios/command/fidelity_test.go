package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios/fidelity"
)

// fewLines are some that take little time, of 2, 3 and 5 ranks.
func fewLines() []fidelity.Line {
	return []fidelity.Line{
		{Tree: "binomial", Ranks: 2, Repeat: 3, Period: "2ms", Number: 1},
		{Tree: "kary k=4", Ranks: 5, Repeat: 3, Period: "2ms", Number: 2},
		{Tree: "lame k=2", Ranks: 3, Repeat: 3, Period: "2ms", Bytes: 4096, Number: 3},
	}
}

// withFewLines has comparisons be short until the test is over.
func withFewLines(t *testing.T) {
	usual := comparedLines
	comparedLines = fewLines
	t.Cleanup(func() { comparedLines = usual })
}

// tableOf are the rows of a comparison, by their number and name.
func tableOf(stdout string) (rows []string) {
	for line := range strings.Lines(stdout) {
		if name, rest, found := strings.Cut(line, "   "); found && strings.Contains(name, "  P=") && strings.Count(rest, " to ") == 2 {
			rows = append(rows, strings.TrimSpace(name))
		}
	}
	return rows
}

func TestAMachineIsComparedWithTheEmulator(t *testing.T) {
	withFewLines(t)
	folder := t.TempDir()
	path, plot := filepath.Join(folder, "machine.toml"), filepath.Join(folder, "ratios.svg")
	compare := append([]string{"--out", path, "--compare", "--plot", plot, "--force"}, little...)
	got := mangrove(append([]string{"calibrate", "-n", "3"}, compare...)...)
	require.Equal(t, statusHeld, got.status, got.stderr)
	require.Equal(t, []string{"1  P=2 binomial", "2  P=5 kary k=4", "3  P=3 lame k=2, 4 KB"}, tableOf(got.stdout), got.stdout)
	require.Contains(t, got.stdout, "\nMeasured on processes over TCP. Medians in microseconds; in parentheses lowest and highest of 2 runs with new processes.\n")
	require.NotContains(t, got.stdout, "Left out")
	require.Contains(t, contents(t, plot), "Broadcasts against the emulator: processes over TCP")
	require.Contains(t, contents(t, plot), "mangrove calibrate -n 3 rounds=20")

	// A job leaves out what it has too few processes for, and says so. Of what it can run, some processes may have no part.
	require.NoError(t, os.Remove(plot))
	all := calibrateInJob(t, 4, compare...)
	require.Equal(t, statusHeld, all[0].status, all[0].stderr)
	requireSilent(t, all)
	require.Equal(t, []string{"1  P=2 binomial", "3  P=3 lame k=2, 4 KB"}, tableOf(all[0].stdout), all[0].stdout)
	require.Contains(t, all[0].stdout, "in parentheses lowest and highest of 2 runs of the same processes.\n")
	require.Contains(t, all[0].stdout, "\nLeft out: 1 of 3 lines, of more ranks than the 4 processes of this job; want mpirun -n 5 for all.\n")
	require.Contains(t, contents(t, plot), "Broadcasts against the emulator: an MPI job")
	require.Contains(t, contents(t, plot), "mpirun -n 4 mangrove calibrate rounds=20")
}

// What cannot be drawn is a failure, in a job as well, and what was measured has been printed.
func TestAComparisonThatCannotBeDrawn(t *testing.T) {
	withFewLines(t)
	folder := t.TempDir()
	plot := filepath.Join(folder, "gone", "ratios.svg")
	all := calibrateInJob(t, 2, append([]string{"--out", filepath.Join(folder, "m.toml"), "--compare", "--plot", plot}, little...)...)
	require.NotEqual(t, statusHeld, all[0].status)
	require.Equal(t, 1, strings.Count(all[0].stderr, plot), all[0].stderr)
	requireSilent(t, all)
}

func TestAllLinesAreComparedIfAMachineIsLargeEnough(t *testing.T) {
	for largest, want := range map[int]int{0: 20, 64: 20, 63: 14, 32: 14, 16: 13, 8: 9, 2: 4, 1: 0} {
		lines, tooLarge := realMachine{largest: largest}.canRun(comparedLines())
		require.Len(t, lines, want, largest)
		require.Len(t, tooLarge, 20-want)
		for _, line := range tooLarge {
			require.Greater(t, line.Ranks, largest)
		}
	}
}

func TestMachinesAreNamed(t *testing.T) {
	require.Equal(t, "an MPI job", jobName(""))
	require.Equal(t, "an MPI job, Open MPI", jobName("Open MPI"))
	f := calibrateFlags{}
	f.Processes, f.Encrypt = 3, true
	m := f.launched(ours)
	require.Equal(t, "processes over TCP, encrypted", m.name)
	require.Equal(t, calibration.NewProcesses, m.source)
	require.Equal(t, "mangrove calibrate -n 3 rounds=4 --times 0 --encrypt", f.command([]string{"rounds=4"}, m))
}
