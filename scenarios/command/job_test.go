package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// inJob runs a command line on so many processes of a job, and returns what each of them leaves behind.
func inJob(t *testing.T, processes int, args ...string) []result {
	t.Helper()
	return inJobOf(t, slices.Repeat([][]string{args}, processes))
}

// inJobOf runs a command line for each process.
func inJobOf(t *testing.T, args [][]string) []result {
	t.Helper()
	return inJobWith(t, catalog.All(), args)
}

func inJobWith(t *testing.T, registry scenarios.Registry, args [][]string) []result {
	t.Helper()
	return inJobOfApps(t, args, func(int) app { return app{name: ours, registry: registry} })
}

// inJobOfApps runs a command line for each process, by what is made for it.
func inJobOfApps(t *testing.T, args [][]string, process func(i int) app) []result {
	t.Helper()
	all := make([]result, len(args))
	parts.Together(t.Context(), len(args), func(group parts.Mail) error {
		var stdout, stderr bytes.Buffer
		i := group.Index()
		a := process(i)
		a.stdout, a.stderr = &stdout, &stderr
		status, _ := a.runTogether(t.Context(), group, args[i])
		all[i] = result{stdout.String(), stderr.String(), status}
		return nil
	})
	return all
}

// cost is what a run took, as text and in JSON.
var cost = regexp.MustCompile(`measured: .*|"wall_ns":\d+|"bytes_per_rank":\d+|\.mangrove-\w+\.tmp`)

func withoutCost(text string) string { return cost.ReplaceAllString(text, "") }

// The processes of a job say together what one says alone: the first one prints, and all have its exit status.
func TestProcessesOfAJobSayWhatOneSays(t *testing.T) {
	for _, args := range [][]string{
		{"run", "broadcast", "P=100"},
		{"run", "broadcast", "P=100", "--check", "faults=crash:~5"},
		{"run", "broadcast", "P=5", "faults=crash:1@t0", "correction=none"}, // broken
		{"run", "broadcast", "P=30", "faults=crash:0@t0"},                   // not judged
		{"run", "broadcast", "P=30", "--json"},
		{"run", "broadcast", "P=30", "--trace", "-"},
		{"replay", "gossip P=64 seed=3"},
		{"run", "collective", "op=reduce", "P=20", "faults=crash:0@step:exchange", "--cost"},
		{"run", "broadcast", "P=0"},
		{"run", "nothing"},
		{"run", "broadcast", "--workers", "-1"},
		{"list"},
	} {
		alone := mangroveWith(t.Context(), catalog.All(), args...)
		together := inJob(t, 3, args...)
		if args[0] == "list" {
			require.Equal(t, statusInput, together[0].status, args)
			require.Equal(t, "mangrove: list: the 3 processes of this MPI job would all do the same; want one process, or one of calibrate, campaign, explore, fuzz, join, paper, replay, run\n", together[0].stderr)
			continue
		}
		require.Equal(t, withoutCost(alone.stdout), withoutCost(together[0].stdout), args)
		require.Equal(t, withoutCost(alone.stderr), withoutCost(together[0].stderr), args)
		for i, r := range together {
			require.Equal(t, alone.status, r.status, args)
			if i > 0 {
				require.Empty(t, r.stdout+r.stderr, args)
			}
		}
	}
}

// What only one process of a job can notice ends the command for all.
func TestWhatOneProcessNoticesEndsTheCommandForAll(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone", "events.json")
	for i, r := range inJob(t, 3, "run", "broadcast", "P=30", "--trace", gone) {
		require.Equal(t, statusInput, r.status)
		if i == 0 {
			require.Contains(t, r.stderr, "cannot write the trace to "+gone)
		}
	}
	folder := filepath.Join(t.TempDir(), "tables")
	for i, r := range inJob(t, 3, "run", "tpch-q3", "P=4", "sf=0.001", "--export", folder) {
		require.Equal(t, statusHeld, r.status, "process %d: %s", i, r.stderr)
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.NotEmpty(t, files)
}

// An error of one process is told by the first, which has none itself.
func TestErrorsOfOtherProcessesAreTold(t *testing.T) {
	errs := parts.Together(t.Context(), 2, func(group parts.Mail) error {
		a := app{name: ours, job: group}
		var own error
		if group.Index() == 1 {
			own = os.ErrPermission
		}
		return a.agree(own)
	})
	require.EqualError(t, errs[0], "process 1 of the job: permission denied")
	require.Equal(t, os.ErrPermission, errs[1])
}

// Processes exit with the same status, whoever has found out.
func TestProcessesAgreeOnTheExitStatus(t *testing.T) {
	for _, err := range []error{os.ErrPermission, failure{os.ErrPermission}, interrupted{}} {
		got := parts.Together(t.Context(), 2, func(group parts.Mail) error {
			return (&app{name: ours, job: group}).agree([]error{nil, err}[group.Index()])
		})
		require.Equal(t, statusOf(err), statusOf(got[0]), "%v", err)
		require.Equal(t, err, got[1])
	}
}

// Processes that were not told to do the same do nothing, and say who differs in what.
func TestProcessesOfAJobMustBeToldTheSame(t *testing.T) {
	all := inJobOf(t, [][]string{{"run", "broadcast", "P=5"}, {"run", "broadcast", "P=5"}, {"run", "broadcast", "P=6"}})
	for i, r := range all {
		require.Equal(t, statusInput, r.status)
		require.Empty(t, r.stdout)
		if i > 0 {
			require.Empty(t, r.stderr)
		}
	}
	require.Equal(t, `mangrove: process 0 of the job was started with ["run" "broadcast" "P=5"], process 2 with ["run" "broadcast" "P=6"]; want the same words for all`+"\n", all[0].stderr)
}

// Programs that are not the same may misunderstand each other.
func TestProcessesOfAJobMustBeTheSameProgram(t *testing.T) {
	for text, want := range map[string]string{
		`{"program":"v9.9.9 go9","words":["list"]}`: fmt.Sprintf("process 0 of the job is mangrove %s, process 1 is mangrove v9.9.9 go9; want the same for all", build()),
		`?`: "process 1 of the job runs another program, or another version of it; want the same for all",
	} {
		groups := parts.InProcess(t.Context(), 2)
		go func() { _, _ = groups[1].Exchange([][]byte{[]byte(text), []byte(text)}) }()
		err := (&app{name: ours, job: groups[0]}).compareNotes([]string{"list"})
		require.EqualError(t, err, want)
		require.Equal(t, statusInput, statusOf(err))
	}
}

// A process that cannot reach the others any more says so, even if the first one says all else, and has them ended.
func TestAJobThatIsLostIsToldByThoseWhoNotice(t *testing.T) {
	for _, args := range [][]string{{"run", "broadcast", "P=100"}, {"fuzz", "broadcast", "P=5", "--runs", "100"}} {
		ctx, leave := context.WithCancelCause(t.Context())
		groups := parts.InProcess(ctx, 3)
		lost := errors.New("mpi: no route to host")
		all, errs := make([]result, 2), make([]error, 2)
		var wait sync.WaitGroup
		for i, group := range groups[:2] {
			wait.Go(func() {
				var stdout, stderr bytes.Buffer
				a := app{name: ours, registry: catalog.All(), stdout: &stdout, stderr: &stderr}
				status, err := a.runTogether(t.Context(), group, args)
				errs[i] = err
				all[i] = result{stdout.String(), stderr.String(), status}
			})
		}
		third := app{name: ours, job: groups[2]}
		require.NoError(t, third.compareNotes(args))
		leave(lost)
		wait.Wait()
		require.Equal(t, []error{lost, lost}, errs)
		require.Equal(t, result{"", "mangrove: process 1 of 3: mpi: no route to host\n", statusBroken}, all[1])
		require.Equal(t, statusBroken, all[0].status)
		require.Empty(t, all[0].stdout)
		require.Contains(t, all[0].stderr, "mpi: no route to host")
	}
}

// Campaigns and experiments leave the same files behind, byte by byte, whoever has done the runs.
func TestProcessesOfAJobDoCampaignsTogether(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "c.toml")
	require.NoError(t, os.WriteFile(file, []byte(`name = "c"
line = "broadcast P=40"
runs = 25
seed = 3
[[sweep]]
key = "faults"
values = ["none", "crash:~1", "crash:~4"]
`), 0o666))
	out := func(name string) string { return filepath.Join(folder, name) }
	alone := mangrove("campaign", file, "--out", out("alone"))
	require.Equal(t, statusHeld, alone.status, alone.stderr)
	for i, r := range inJob(t, 3, "campaign", file, "--out", out("together")) {
		require.Equal(t, statusHeld, r.status, r.stderr)
		if i > 0 {
			require.Empty(t, r.stdout+r.stderr)
		}
	}
	require.Equal(t, contents(t, out("alone")), contents(t, out("together")))

	experiment := func(name string) []string {
		return []string{"paper", "gossip-table", "--runs", "2", "--out", out(name)}
	}
	require.Equal(t, statusHeld, mangrove(experiment("paper1")...).status)
	require.Equal(t, statusHeld, inJob(t, 2, experiment("paper2")...)[0].status)
	files, err := os.ReadDir(out("paper1"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		require.Equal(t, contents(t, filepath.Join(out("paper1"), f.Name())), contents(t, filepath.Join(out("paper2"), f.Name())), f.Name())
	}
	for _, r := range inJob(t, 2, "campaign", out("nowhere.toml")) {
		require.Contains(t, []int{statusHeld, statusInput}, r.status)
	}
	require.Equal(t, statusInput, inJob(t, 2, "campaign", out("nowhere.toml"))[0].status)
}

// Searches find the same, whoever has made the runs, and go on from what was kept of one that was shared out.
func TestProcessesOfAJobSearchTogether(t *testing.T) {
	folder := t.TempDir()
	for _, args := range [][]string{
		{"explore", "broadcast", "P=8", "faults<=2"},
		{"explore", "broadcast", "P=6", "faults<=2", "numbering=in-order", "--roots", "--json"}, // broken
		{"explore", "broadcast", "P=4", "delays<=1", "--seeds", "2"},
		{"explore", "membership", "P=3", "faults<=2", "--before", "60", "--rejoin", "20", "--json"},
		{"explore", "broadcast", "P=4", "--orders"},
		{"explore", "broadcast", "P=5", "--state", filepath.Join(folder, "state")},
		{"fuzz", "broadcast", "P=20", "--runs", "500", "--json"},
		{"fuzz", "broadcast", "P=20", "correction=none", "--runs", "300", "--max-faults", "2"}, // broken
		{"fuzz", "gossip", "P=20", "--runs", "200", "seed=5", "--check"},
		{"explore", "broadcast", "P=5", "faults<=0"},
		{"explore", "broadcast", "P=5", "--state", filepath.Join(folder, "nowhere", "state")},
	} {
		alone := mangroveWith(t.Context(), catalog.All(), args...)
		_ = os.Remove(filepath.Join(folder, "state"))
		together := inJob(t, 3, args...)
		require.Equal(t, withoutCost(alone.stdout), withoutCost(together[0].stdout), args)
		require.Equal(t, withoutCost(alone.stderr), withoutCost(progressLines.ReplaceAllString(together[0].stderr, "")), args)
		require.Equal(t, alone.status, together[0].status, args)
		for _, r := range together[1:] {
			require.Empty(t, r.stdout+r.stderr, args)
		}
	}
}

// flaky is a group that fails once.
type flaky struct {
	parts.Mail
	calls int
}

func (f *flaky) Exchange([][]byte) ([][]byte, error) {
	if f.calls++; f.calls == 2 {
		return nil, errors.New("mpi: lost")
	}
	return nil, nil
}

// A group that has failed is not tried again: the others would not know what it is about.
func TestAGroupThatHasFailedIsLeftAlone(t *testing.T) {
	inner := new(flaky)
	g := &guarded{Mail: inner}
	_, err := g.Exchange(nil)
	require.NoError(t, err)
	for range 2 {
		_, err = g.Exchange(nil)
		require.EqualError(t, err, "mpi: lost")
		_, err = g.Min(4)
		require.EqualError(t, err, "mpi: lost")
		require.EqualError(t, g.Send(0, nil), "mpi: lost")
		_, _, err = g.Receive()
		require.EqualError(t, err, "mpi: lost")
	}
	require.Equal(t, 2, inner.calls)
}

// A panic is a panic, whatever was passed to it: of that, processes that have not panicked know the text only.
func TestPanicsExitAlikeInAllProcesses(t *testing.T) {
	registry := append(testProtocols(), badProtocol("gives-up", func(protocols.Proc) { panic(context.Canceled) }))
	alone := mangroveWith(t.Context(), registry, "run", "gives-up", "P=4")
	require.Equal(t, statusBroken, alone.status)
	want, _, _ := strings.Cut(alone.stderr, "\n")
	require.Equal(t, "mangrove: emu: rank 0 panicked at t=0: context canceled", want)
	for i, r := range inJobWith(t, registry, slices.Repeat([][]string{{"run", "gives-up", "P=4"}}, 3)) {
		require.Equal(t, statusBroken, r.status)
		if got, _, _ := strings.Cut(r.stderr, "\n"); i == 0 {
			require.Equal(t, want, got)
		}
	}
}

// A process that is told to stop stops all, whichever it is, also before or between runs.
func TestOneProcessIsInterruptedForAll(t *testing.T) {
	for interrupted := range 3 {
		all := make([]result, 3)
		parts.Together(t.Context(), 3, func(group parts.Mail) error {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if group.Index() == interrupted {
				cancel()
			}
			var stdout, stderr bytes.Buffer
			a := app{name: ours, registry: catalog.All(), stdout: &stdout, stderr: &stderr}
			status, _ := a.runTogether(ctx, group, []string{"run", "broadcast", "P=100", "--check"})
			all[group.Index()] = result{stdout.String(), stderr.String(), status}
			return nil
		})
		require.Equal(t, []result{{"", "mangrove: interrupted\n", statusInterrupted}, {"", "", statusInterrupted}, {"", "", statusInterrupted}}, all)
	}
}

// Processes that serve exit as the first one does: launchers may lose the status of one.
func TestProcessesThatServeExitAsTheFirstOneDoes(t *testing.T) {
	for status, args := range map[int][]string{
		statusHeld:   {"explore", "broadcast", "P=5", "faults<=1"},
		statusBroken: {"explore", "broadcast", "P=5", "correction=none", "faults<=1"},
	} {
		for i, r := range inJob(t, 3, args...) {
			require.Equal(t, status, r.status, "process %d: %s", i, r.stderr)
		}
	}
}
