//go:build mpi && linux

package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// Protocols of which one process of a job does something that no other one knows of.
func init() {
	for name, do := range map[string]func(){
		"alone-panics":   func() { panic("boom") },
		"alone-explodes": func() { go panic("boom"); time.Sleep(patience) },
		"alone-exits":    func() { os.Exit(0) },
		"alone-aborts":   func() { mpi.Abort(7) },
	} {
		protocolsOfJobs = append(protocolsOfJobs, scenarios.Protocol{Name: name, Build: func(line.Settings) (scenarios.Experiment, error) {
			if os.Getenv("OMPI_COMM_WORLD_RANK") == "2" || os.Getenv("PMI_RANK") == "2" {
				do()
			}
			return scenarios.Experiment{Program: protocols.Program{Main: func(protocols.Proc) {}}}, nil
		}})
	}
}

// A process that fails alone ends the job, with what it has to say.
func TestAProcessOfAnMPIJobFailsAlone(t *testing.T) {
	for name, says := range map[string][]string{
		"alone-panics":   {"panic: boom", "mangrove: process 2 of 4 on host ", " has ended alone, with exit status 2; the job ends: "},
		"alone-explodes": {"panic: boom", "mangrove: process 2 of 4 on host ", " has ended alone, with exit status 2; the job ends: "},
		"alone-exits":    {"mangrove: process 2 of 4 on host ", " has ended alone, with exit status 0; the job ends: "},
		"alone-aborts":   nil, // it has nothing to say
	} {
		t.Run(name, func(t *testing.T) {
			j := startMPI(t, 4, "run", name, "P=8")
			r := j.result()
			j.requireGone(t)
			require.NotEqual(t, statusHeld, r.status, r.stderr)
			require.Empty(t, r.stdout)
			for _, text := range says {
				require.Contains(t, r.stderr, text)
			}
		})
	}
}

// What the first process cannot write ends the job, also if the others have more to do.
func TestAnMPIJobThatCannotBeWrittenFails(t *testing.T) {
	for _, words := range []string{
		"run broadcast P=1000",
		"run broadcast P=1000 --json",
		"run broadcast P=1000 --trace -",
		"run collective op=reduce P=20 --cost --trace -",
		"explore broadcast P=5",
		"fuzz broadcast P=5 --runs 100",
	} {
		j := startMPIWords(t, append([]string{"-n", "3", "bash", "-c", `exec "$0" "$@" >/dev/full`, os.Args[0]}, strings.Fields(words)...)...)
		r := j.result()
		require.Equal(t, statusBroken, r.status, words)
		require.Equal(t, 1, strings.Count(r.stderr, "mangrove: "), "%s: %s", words, r.stderr)
		require.Contains(t, r.stderr, "no space left on device", words)
	}
}

// Processes that were told different things do nothing.
func TestProcessesOfAnMPIJobMustBeToldTheSame(t *testing.T) {
	r := startMPIWords(t, "-n", "1", os.Args[0], "run", "broadcast", "P=5", ":", "-n", "1", os.Args[0], "run", "broadcast", "P=6").result()
	require.Equal(t, statusInput, r.status)
	require.Empty(t, r.stdout)
	require.Contains(t, r.stderr, `mangrove: process 0 of the job was started with ["run" "broadcast" "P=5"], process 1 with ["run" "broadcast" "P=6"]; want the same words for all`)
}

// Commands of many runs leave the same bytes behind, on standard output and in files, as one process does.
func TestProcessesOfAnMPIJobDoManyRuns(t *testing.T) {
	for _, command := range []string{
		"campaign FOLDER/c.toml --out FOLDER/results",
		"paper gossip-table --runs 2 --out FOLDER/paper",
		"explore broadcast P=8 faults<=2",
		"explore broadcast P=6 faults<=2 numbering=in-order --roots --json --state FOLDER/state",
		"explore broadcast P=4 delays<=1 --seeds 2",
		"explore broadcast P=4 --orders",
		"fuzz broadcast P=20 --runs 500 --json",
		"fuzz broadcast P=20 correction=none --runs 300 --max-faults 2",
		"fuzz gossip P=20 --runs 200 seed=5 --check",
	} {
		var e endurable
		in := func(folder string) []string { return strings.Fields(strings.ReplaceAll(command, "FOLDER", folder)) }
		folder := e.folder(t)
		alone := mangroveWith(t.Context(), catalog.All(), in(folder)...)
		want, files := inFolder(alone.stdout, folder), everything(t, folder)
		for _, processes := range []int{2, 4} {
			folder := e.folder(t)
			together := startMPI(t, processes, in(folder)...).result()
			require.Equal(t, want, inFolder(together.stdout, folder), command)
			require.Equal(t, alone.status, together.status, "%s\n%s", command, together.stderr)
			require.Equal(t, files, everything(t, folder), command)
		}
	}
}

// everything is what is in a folder.
func everything(t *testing.T, folder string) map[string]string {
	all := make(map[string]string)
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		all[name] = string(text)
		return err
	}))
	return all
}
