package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/carriertest"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// calibrateInJob calibrates so many processes of a job, over a carrier.
func calibrateInJob(t *testing.T, processes int, words ...string) []result {
	t.Helper()
	carriers := carriertest.New(processes)
	args := slices.Repeat([][]string{append([]string{"calibrate"}, words...)}, processes)
	return inJobOfApps(t, args, func(i int) app { return app{name: ours, registry: catalog.All(), carrier: carriers[i]} })
}

// requireSilent is about what all but the first process leave behind: nothing but its status.
func requireSilent(t *testing.T, all []result) {
	t.Helper()
	for i, r := range all[1:] {
		require.Equal(t, all[0].status, r.status, "process %d", i+1)
		require.Empty(t, r.stdout+r.stderr, "process %d", i+1)
	}
}

// A job is calibrated as a whole. The first process writes the file and says what is in it, and that it was the same processes every time.
func TestProcessesOfAJobAreCalibrated(t *testing.T) {
	for _, processes := range []int{2, 4} {
		folder := t.TempDir()
		path := filepath.Join(folder, "machine.toml")
		all := calibrateInJob(t, processes, append([]string{"--out", path}, little...)...)
		require.Equal(t, statusHeld, all[0].status, all[0].stderr)
		requireSilent(t, all)
		requireFiles(t, folder, "machine.toml")
		require.Contains(t, all[0].stdout, "2 runs of the same processes")
		require.Equal(t, 1, strings.Count(all[0].stdout, path+": tick=1ns L="))
		command := "mpirun -n 2 mangrove calibrate rounds=20 "
		if processes == 4 {
			command = "mpirun -n 4 mangrove calibrate rounds=20 "
		}
		require.Contains(t, contents(t, path), "# measured by: "+command)
		file, err := line.ReadMachineFile(path)
		require.NoError(t, err)
		intervals, ok := file.Measured["intervals"].(map[string]any)
		require.True(t, ok)
		require.Equal(t, false, intervals["processes_anew"])
	}
}

func TestWhatAJobDoesNotCalibrate(t *testing.T) {
	folder := t.TempDir()
	there := filepath.Join(folder, "there.toml")
	require.NoError(t, os.WriteFile(there, []byte("precious"), 0o644))
	for says, words := range map[string][]string{
		"-n 5: the processes of this MPI job are calibrated, all 3 of them; want mpirun -n 5, and no other -n":                    {"-n", "5"},
		"--hosts: the processes of this MPI job are there already, and talk through the MPI library; want it without mpirun only": {"--hosts", "a,b"},
		"--ssh: the processes":                                        {"--ssh", "rsh"},
		"--agent: the processes":                                      {"--agent", "a"},
		"--encrypt: the processes":                                    {"--encrypt"},
		"--listen nowhere: want host:port, such as 10.0.0.1:0":        {"--listen", "nowhere"},
		"nowhere.invalid":                                             {"--listen", "nowhere.invalid:0"},
		"unknown key \"nothing\"":                                     {"nothing=1"},
		"P is set twice":                                              {"P=8"},
		"the file exists; want another name, or --force":              {"--out", there},
		"--plot without --compare":                                    {"--plot", "x.svg"},
		"want a whole number from 1 to 100":                           {"--times", "0"},
		"crash:1@send1: there are runs to come that want the process": {"faults=crash:1@send1"},
		"hang:1@t0: nobody would end the stopped process":             {"faults=hang:1"},
	} {
		all := calibrateInJob(t, 3, slices.Concat([]string{"--out", filepath.Join(folder, "new.toml")}, little, words)...)
		require.Equal(t, statusInput, all[0].status, says)
		require.Equal(t, 1, strings.Count(all[0].stderr, says), "%s: %s", says, all[0].stderr)
		require.Empty(t, all[0].stdout)
		requireSilent(t, all)
	}
	require.Equal(t, "precious", contents(t, there))
	requireFiles(t, folder, "there.toml")
}
