package launch_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/carriertest"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// keepsProtocol has ranks that write things down, and say when they come back what is there.
var keepsProtocol = scenarios.Protocol{Name: "keeps", Rejoins: true, Stores: true, Build: func(line.Settings) (scenarios.Experiment, error) {
	return scenarios.Experiment{Program: protocols.Program{Main: keep}}, nil
}}

func keep(p protocols.Proc) {
	disk, err := protocols.StorageOf(p)
	if err != nil {
		panic(err)
	}
	if p.Life() > 0 {
		found := "found"
		for _, name := range disk.Names() {
			value, _ := disk.Read(name)
			found += "." + name + value
		}
		p.Step(found)
		return
	}
	disk.Write("a", "1")
	disk.Sync()
	disk.Write("b", "2")
	disk.Write("c", "3")
	disk.Sync()
	p.WaitUntil(400)
}

// found is what ranks that have come back have found.
func found(outcome *scenarios.Outcome) map[int]string {
	all := make(map[int]string)
	for _, e := range outcome.Report.Events {
		if e.Kind == report.EventStep {
			all[e.Rank] = e.Step
		}
	}
	return all
}

// comingBack runs something until so many ranks have come back in time, and makes sure that they have found what they should. Ticks are longer each time.
func comingBack(t *testing.T, ranks int, attempt func(tick time.Duration) *scenarios.Outcome, want map[int]string) {
	t.Helper()
	for tick := 5 * time.Millisecond; ; tick *= 2 {
		outcome := attempt(tick)
		if len(outcome.Report.Rejoined) == ranks {
			require.Equal(t, want, found(outcome))
			return
		}
		require.Less(t, tick, time.Second, "they never come back")
	}
}

// With a process for each rank, and with fewer, on this host and over agents.
func TestRanksThatComeBackFindWhatTheyHaveKept(t *testing.T) {
	for name, options := range map[string]launch.Options{
		"a process each":                      {},
		"two processes":                       {Processes: 2},
		"hosts":                               onHosts(t),
		"hosts, with a folder on all of them": onHosts(t),
	} {
		t.Run(name, func(t *testing.T) {
			options.Record, options.Pace, options.Eager = true, tcp.Sends, true
			comingBack(t, 3, func(tick time.Duration) *scenarios.Outcome {
				if strings.Contains(name, "folder") {
					options.Storage = filepath.Join(t.TempDir(), tick.String())
				}
				outcome, err := begin(t, t.Context(), "keeps P=4 write=1 sync=3 faults=crash:0@before-sync2,rejoin:0@t300,crash:1@sync2:kept2,rejoin:1@t300,hang:2@after-sync2,rejoin:2@t300 tick="+tick.String(), options).wait(t)
				require.NoError(t, err)
				require.Equal(t, clock.Disk{Write: 1, Sync: 3}, outcome.Report.Disk)
				return outcome
			}, map[int]string{0: "found.a1", 1: "found.a1.c3", 2: "found.a1.b2.c3"})
		})
	}
}

// A folder that was asked for stays, and the files of all ranks in it; another run does not begin in it.
func TestAFolderThatWasAskedForStays(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "of", "a run")
	options := launch.Options{Storage: folder, Stderr: io.Discard, Eager: true}
	_, err := begin(t, t.Context(), "keeps P=3 tick=1ms faults=crash:2@t0", options).wait(t)
	require.NoError(t, err)
	var names []string
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	require.Equal(t, []string{"rank-0", "rank-1"}, names)
	_, err = begin(t, t.Context(), "keeps P=3 tick=1ms", options).wait(t)
	requireRefused(t, err, "storage in "+folder+": rank-0 is there, want an empty folder: what another run has left is not for this one")
}

func TestFoldersThatAreOfNoUseAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := begin(t, t.Context(), "keeps P=3 tick=1ms", launch.Options{Storage: file}).wait(t)
	requireRefused(t, err, "storage in "+file+": mkdir "+file+": not a directory")
	_, err = begin(t, t.Context(), "broadcast P=3 tick=1ms", launch.Options{Storage: t.TempDir()}).wait(t)
	require.ErrorContains(t, err, "ranks of broadcast keep nothing, want no folder")
}

func requireRefused(t *testing.T, err error, says string) {
	t.Helper()
	var input *line.InputError
	require.ErrorAs(t, err, &input, "exit status 2")
	require.ErrorContains(t, err, says)
}

// Temporary folders end with their runs.
func TestTemporaryFoldersDoNotStay(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	_, err := begin(t, t.Context(), "keeps P=3 tick=1ms", launch.Options{Eager: true}).wait(t)
	require.NoError(t, err)
	entries, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, entries)
}

// Processes that nobody has launched keep something as well: those of a list, and those of a group.
func TestProcessesThatJoinKeepWhatTheirRanksKeep(t *testing.T) {
	const text = "keeps P=4 faults=crash:0@before-sync2,rejoin:0@t300,crash:3@sync2:kept2,rejoin:3@t300 tick="
	want := map[int]string{0: "found.a1", 3: "found.a1.c3"}
	var folder string
	for _, named := range []bool{false, true} {
		comingBack(t, 2, func(tick time.Duration) *scenarios.Outcome {
			if named {
				folder = filepath.Join(t.TempDir(), tick.String())
			}
			text := text + tick.String()
			outcome, ends := join(t, t.Context(), launch.JoinOptions{Timeout: patience, Record: true, Storage: folder}, text, text)
			require.Equal(t, make([]error, 2), ends)
			return outcome
		}, want)
	}
	_, ends := join(t, t.Context(), launch.JoinOptions{Timeout: patience, Storage: folder}, text+"5ms", text+"5ms")
	for _, err := range ends {
		requireRefused(t, err, " is there before the run: it is of another one, want a folder without")
	}
	comingBack(t, 2, func(tick time.Duration) (outcome *scenarios.Outcome) {
		carriers := carriertest.New(2)
		ends := parts.Together(t.Context(), 2, func(group parts.Mail) error {
			run, err := registry().ParseLine(text + tick.String())
			if err != nil {
				return err
			}
			o := launch.JobOptions{Group: group, Carrier: carriers[group.Index()], Eager: true, Timeout: patience, Record: true}
			own, err := launch.JoinJob(t.Context(), run, o)
			if group.Index() == 0 {
				outcome = own
			}
			return err
		})
		require.Equal(t, make([]error, 2), ends)
		return outcome
	}, want)
}
