package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/carriertest"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// joinInJob has so many processes of a job join a run, over a carrier.
func joinInJob(t *testing.T, processes int, doomed string, words ...string) []result {
	t.Helper()
	carriers := carriertest.New(processes)
	args := slices.Repeat([][]string{append([]string{"join"}, words...)}, processes)
	return inJobOfApps(t, args, func(i int) app { return app{registry: catalog.All(), carrier: carriers[i], doomed: doomed} })
}

// The first process says how the run went, in a job that survives the end of processes as well as in another one.
func TestProcessesOfAJobJoinARun(t *testing.T) {
	for _, doomed := range []string{"", "it would end"} {
		all := joinInJob(t, 3, doomed, "broadcast", "P=12", "faults=crash:4@send1,hang:7", "--json")
		var o struct {
			Processes int
			Verdict   string
			Report    struct{ Failed []struct{ Rank int } }
		}
		require.NoError(t, json.Unmarshal([]byte(all[0].stdout), &o), "%+v", all)
		require.Equal(t, 3, o.Processes)
		require.NotEqual(t, "broken", o.Verdict)
		require.Len(t, o.Report.Failed, 2)
		for _, r := range all[1:] {
			require.Empty(t, r.stdout+r.stderr)
			if doomed != "" {
				require.Equal(t, all[0].status, r.status)
			}
		}
	}
}

func TestWhatAJobDoesNotJoin(t *testing.T) {
	for _, tt := range []struct {
		words []string
		says  string
	}{
		{[]string{"broadcast", "faults=crash:1@send1"}, "crash:1@send1: it would end; or more ranks than processes, which then fail without their process"},
		{[]string{"broadcast", "faults=hang:1"}, "hang:1@t0: nobody would end the stopped process; want a launcher, or several ranks in a process"},
		{[]string{"membership", "faults=hang:1@t4,rejoin:1@t900"}, "hang:1@t4: nobody would end the stopped process"},
		{[]string{"membership", "faults=rejoin:1@t900,crash:1@t4"}, "rejoin:1@t900: nobody would start the process again; want a launcher"},
		{[]string{"broadcast", "P=2"}, "3 processes, want 1 to 2, the number of ranks P"},
		{[]string{"broadcast", "--process", "1"}, "--key, --process and --encrypt: want --peers with them, or none of them: processes of an MPI job know each other"},
		{[]string{"broadcast", "P=6", "--listen", "nowhere.invalid:0"}, "nowhere.invalid"},
	} {
		all := joinInJob(t, 3, "it would end", tt.words...)
		for i, r := range all {
			require.Equal(t, statusInput, r.status, "%s, process %d: %+v", tt.words, i, r)
			require.Empty(t, r.stdout)
			require.Equal(t, i == 0, r.stderr != "", r.stderr)
		}
		require.Contains(t, all[0].stderr, tt.says, tt.words)
	}
}

// Without the first process there is no run.
func TestTheFirstProcessOfAJobDoesNotCrash(t *testing.T) {
	all := joinInJob(t, 3, "", "broadcast", "faults=crash:0@send1")
	require.Equal(t, statusInput, all[0].status)
	require.Contains(t, all[0].stderr, "crash:0@send1: process 0 brings the others together and reports; want rank 1 to 2, or more ranks than processes")
}

// What finds others by their addresses has nothing to do with who has started it.
func TestJoinsByAddressAreNoJobs(t *testing.T) {
	for args, want := range map[string]bool{
		"join --peers a:1,b:2 broadcast": true,
		"join broadcast --peers=a:1,b:2": true,
		"join --make-key k":              true,
		"join broadcast":                 false,
		"worker":                         true,
		"agent --whatever":               true,
		"launch -n 2 worker":             false,
		"run --peers a":                  false,
		"":                               false,
	} {
		require.Equal(t, want, joinsByAddress(strings.Fields(args)), args)
	}
}
