package command

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/carriertest"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// joinInJob has so many processes of a job join a run, over a carrier.
func joinInJob(t *testing.T, processes int, doomed string, words ...string) []result {
	t.Helper()
	carriers := carriertest.New(processes)
	args := slices.Repeat([][]string{append([]string{"join"}, words...)}, processes)
	return inJobOfApps(t, args, func(i int) app { return app{name: ours, registry: catalog.All(), carrier: carriers[i], doomed: doomed} })
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

// Where only some processes can read a file, none begins, and the first one says why.
func TestALineThatOnlySomeProcessesCanReadIsRefused(t *testing.T) {
	for _, native := range [][]string{nil, {"native=same"}} {
		carriers := carriertest.New(3)
		args := slices.Repeat([][]string{append([]string{"join", "broadcast", "correction=none"}, native...)}, 3)
		all := inJobOfApps(t, args, func(i int) app {
			registry := catalog.All()
			if i == 1 {
				registry = registry[1:] // it knows no broadcast
			}
			return app{name: ours, registry: registry, carrier: carriers[i], engine: library{}, doomed: "it would end"}
		})
		for i, r := range all {
			require.Equal(t, statusInput, r.status, "process %d: %+v", i, r)
			require.Empty(t, r.stdout)
		}
		require.Contains(t, all[0].stderr, "process 1 of the job: ")
		require.Contains(t, all[0].stderr, "broadcast")
	}
}

// A job whose run takes too long says how far everybody is, as others do.
func TestAJobThatTakesTooLongSaysWhoWaits(t *testing.T) {
	registry := func() scenarios.Registry {
		return append(catalog.All(), scenarios.Protocol{Name: "endless", Build: func(line.Settings) (scenarios.Experiment, error) {
			return scenarios.Experiment{Program: protocols.Program{Main: func(p protocols.Proc) {
				for p.Rank() == 0 {
					p.WaitUntil(p.Now() + 1)
				}
				p.Recv(mailbox.From(0))
			}}}, nil
		}})
	}
	for timeout := time.Second; ; timeout *= 2 { // if ranks had too little time to come so far, they are given more
		carriers := carriertest.New(3)
		args := slices.Repeat([][]string{{"join", "endless", "--timeout", timeout.String()}}, 3)
		all := inJobOfApps(t, args, func(i int) app {
			return app{name: ours, registry: registry(), carrier: carriers[i], doomed: "it would end"}
		})
		require.Equal(t, statusBroken, all[0].status, "%+v", all)
		require.Contains(t, all[0].stderr, "the run is not over after "+timeout.String())
		if says := all[0].stderr; strings.Contains(says, "rank 0 is running") && strings.Contains(says, "rank 1 waits in Recv(any from 0)") && strings.Contains(says, "rank 2 waits") {
			require.Contains(t, says, "again: mpirun -n 3 mangrove join --timeout "+timeout.String()+" endless")
			break
		}
		require.Less(t, timeout, time.Minute, "%+v", all)
	}
}
