package tcp_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// keeper is a program whose ranks write and sync in their first life, and say in the next one what they have found.
type keeper struct{ found []string }

func newKeeper(ranks int) *keeper { return &keeper{make([]string, ranks)} }

func (k *keeper) main(p protocols.Proc) {
	k.begin(p)
	p.WaitUntil(1600)
}

// begin is all that it does but wait.
func (k *keeper) begin(p protocols.Proc) {
	disk := p.Storage()
	if p.Life() > 0 {
		for _, name := range disk.Names() {
			value, _ := disk.Read(name)
			k.found[p.Rank()] += name + value
		}
		return
	}
	disk.Write("a", "1")
	disk.Write("b", "1")
	disk.Sync()
	disk.Write("a", "2")
	disk.Delete("b")
	disk.Sync()
}

// keeping is what a rank of that program finds in its next life, by what has happened to it.
var keeping = []struct{ fault, found string }{
	{"crash:R@before-write1", ""},
	{"crash:R@write1", ""},
	{"crash:R@write1:kept1", "a1"},
	{"crash:R@after-write2:kept2", "b1"},
	{"crash:R@after-write2:kept*", "a1b1"},
	{"crash:R@sync1", ""},
	{"crash:R@sync1:kept1", "a1"},
	{"hang:R@after-sync1", "a1b1"},
	{"hang:R@before-sync2", "a1b1"},
	{"hang:R@before-sync2:kept1", "a2b1"},
	{"crash:R@sync2:kept2", "a1"},
	{"crash:R@sync2:kept*", "a2"},
	{"crash:R@sync2:kept7", "a1b1"},
	{"crash:R@after-sync2", "a2"},
	{"crash:R@t1000", "a2"},
	{"slow:Rx3@sync1,hang:R@write4:kept*", "a2"},
}

// keepingFaults has each of these happen to a rank of its own, and lets it come back.
func keepingFaults() string {
	var all []string
	for rank, k := range keeping {
		all = append(all, strings.ReplaceAll(k.fault, "R", fmt.Sprint(rank)), fmt.Sprintf("rejoin:%d@t1500", rank))
	}
	return strings.Join(all, ",")
}

// Ranks of one process keep what they keep apart, and those of several find it, too.
func TestWhatASyncHasMadeSafeIsThereInTheNextLife(t *testing.T) {
	t.Parallel()
	for _, pace := range tcp.Paces() {
		for _, processes := range []int{1, 5} {
			t.Run(fmt.Sprintf("%s/%d processes", pace, processes), func(t *testing.T) {
				t.Parallel()
				job := someJob(len(keeping), processes)
				job.Pace, job.Disk = pace, clock.Disk{Write: 1, Sync: 4, Read: 1}
				job.Faults = schedule(t, keepingFaults())
				inTime(t, func(tick time.Duration) (late bool) {
					job.Tick = tick
					k := newKeeper(job.Ranks)
					res := run(t, job, tcp.Detection{}, k.main)
					if len(res.Rejoined) < len(keeping) || res.Late > 100 {
						return true
					}
					require.Empty(t, res.Unfired)
					require.Empty(t, res.Unscheduled)
					require.Equal(t, job.Disk, res.Disk)
					for rank, want := range keeping {
						require.Equal(t, want.found, k.found[rank], want.fault)
					}
					return false
				})
			})
		}
	}
}

// Operations take as long as the model says where there is a pace, and slow ranks take longer in any case.
func TestOperationsOfStorageTakeTheirTime(t *testing.T) {
	t.Parallel()
	for pace, least := range map[tcp.Pace][]clock.Time{tcp.Free: {0, 0, 6, 22, 26}, tcp.Sends: {3, 11, 20, 44, 50}} {
		job := someJob(1, 1)
		job.Pace, job.Disk, job.Faults = pace, clock.Disk{Write: 3, Sync: 8, Read: 2}, schedule(t, "slow:0x3@before-write2")
		var at []clock.Time
		run(t, job, tcp.Detection{}, func(p protocols.Proc) {
			disk := p.Storage()
			for _, do := range []func(){
				func() { disk.Write("a", "1") }, disk.Sync, func() { disk.Delete("a") }, disk.Sync, func() { disk.Names() },
			} {
				do()
				at = append(at, p.Now())
			}
		})
		require.Len(t, at, len(least))
		for i := range at {
			require.GreaterOrEqual(t, at[i], least[i], "pace %s, operation %d", pace, i)
		}
	}
}

func TestEventsSayWhatStorageDoesAndWhatIsLost(t *testing.T) {
	t.Parallel()
	job := someJob(1, 1)
	job.Pace, job.Disk = tcp.Sends, clock.Disk{Write: 4, Sync: 20, Read: 2}
	job.Faults = schedule(t, "crash:0@sync1:kept1,rejoin:0@t600,crash:0@write4")
	inTime(t, func(tick time.Duration) (late bool) {
		job.Tick = tick
		res := runRecorded(t, job, tcp.Detection{}, func(p protocols.Proc) {
			disk := p.Storage()
			disk.Read("a")
			disk.Write("a", "1")
			disk.Delete("b")
			disk.Sync()
		})
		if len(res.Rejoined) == 0 {
			return true
		}
		var told []string
		for _, e := range res.Events {
			what := e.Kind.String()
			switch {
			case e.Kind.OfStorage():
				what += " " + e.Step
				least := map[report.EventKind]int64{report.EventRead: 2, report.EventWrite: 4, report.EventDelete: 4, report.EventSyncLost: 10, report.EventWriteLost: 2}
				require.GreaterOrEqual(t, e.A, least[e.Kind], "%s", e)
			case e.Kind == report.EventForget:
				what += fmt.Sprint(" ", e.A)
			}
			told = append(told, what)
		}
		require.Equal(t, []string{
			"read a", "write a", "delete b", "sync-lost ", "crash", "forget 1", "rejoin",
			"read a", "write a", "write-lost b", "crash", "forget 2",
		}, told)
		return false
	})
}

// A rank whose disk fails is lost with its process, which says why; others go on, and nobody waits for it.
func TestRankWithoutItsDiskFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(t *testing.T, folder string)
		says  string
	}{
		"folder gone": {func(t *testing.T, folder string) { require.NoError(t, os.RemoveAll(folder)) }, "no such file or directory"},
		"nothing can be flushed": {func(t *testing.T, folder string) {
			require.NoError(t, os.Symlink(os.DevNull, filepath.Join(folder, "rank-0")))
		}, "sync "},
		"damaged": {func(t *testing.T, folder string) {
			require.NoError(t, os.WriteFile(filepath.Join(folder, "rank-0"), []byte("something else"), 0o600))
		}, `rank-0 begins with "something else", want "mangrove storage 1 of rank 0 of run `},
	} {
		t.Run(name, func(t *testing.T) {
			r := prepare(t, someJob(3, 3), tcp.Detection{})
			c.spoil(t, r.storage)
			res, err := r.try(protocols.Program{Main: func(p protocols.Proc) {
				if p.Rank() == 0 {
					disk := p.Storage()
					disk.Write("a", "1")
					disk.Sync()
					p.Send(1, mailbox.Message{})
				} else {
					p.Recv(mailbox.From(0))
				}
			}})
			require.ErrorContains(t, err, "tcp: rank 0 has lost its storage: ")
			require.ErrorContains(t, err, c.says)
			require.NotContains(t, err.Error(), "\n", "one sentence")
			require.Equal(t, report.Crashed, res.Ranks[0].Outcome)
			require.Len(t, res.Unscheduled, 1)
			require.Equal(t, report.Deadlocked, res.Ranks[1].Outcome, "it waits for what is never sent")
		})
	}
}

func TestProcessWithoutAFolderOffersNoStorage(t *testing.T) {
	t.Parallel()
	r := prepare(t, someJob(1, 1), tcp.Detection{}, 0)
	n, err := tcp.Listen(tcp.Config{Job: r.job})
	require.NoError(t, err)
	r.nodes[0] = n
	found := errors.New("not asked")
	r.run(t, protocols.Program{Main: func(p protocols.Proc) { _, found = protocols.StorageOf(p) }})
	require.ErrorIs(t, found, protocols.ErrNoStorage)
}

// A run does not read what another one has left, nor does it begin if it can leave nothing.
func TestFoldersThatAreOfNoUseAreRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	listen := func(folder string, life int) error {
		n, err := tcp.Listen(tcp.Config{Job: someJob(4, 2), Process: 1, Life: life, Storage: folder})
		if err == nil {
			require.NoError(t, n.Close())
		}
		return err
	}
	require.NoError(t, listen(folder, 0))
	require.ErrorContains(t, listen(filepath.Join(folder, "none"), 0), "tcp: ranks of process 1 cannot keep anything: open "+filepath.Join(folder, "none"))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "rank-1"), nil, 0o600))
	require.NoError(t, listen(folder, 0), "that is of the other process")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "rank-3"), nil, 0o600))
	require.EqualError(t, listen(folder, 0), "tcp: "+filepath.Join(folder, "rank-3")+" is there before the run: it is of another one, want a folder without")
	require.NoError(t, listen(folder, 1), "it has left that itself")
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, left, 2, "nothing else is left")
}

// A rank that fails while its process waits for the disk has not synced, whatever the disk has done by then.
func TestRankThatFailsInASyncHasMadeNothingSafe(t *testing.T) {
	t.Parallel()
	job := someJob(1, 1)
	job.Pace, job.Disk = tcp.Sends, clock.Disk{Sync: far}
	job.Faults = schedule(t, "crash:0@t1500:kept2,rejoin:0@t1600")
	var found []string
	inTime(t, func(tick time.Duration) bool {
		job.Tick, found = tick, nil
		res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
			disk := p.Storage()
			if p.Life() > 0 {
				found = disk.Names()
				return
			}
			disk.Write("a", "1")
			disk.Write("b", "1")
			disk.Sync()
			panic("it goes on")
		})
		return len(res.Rejoined) == 0 || found == nil
	})
	require.Equal(t, []string{"b"}, found)
}

// Ports go on while a rank waits for its disk.
func TestMessagesComeInWhileStorageIsBusy(t *testing.T) {
	t.Parallel()
	job := someJob(2, 2)
	job.Pace, job.Disk = tcp.Sends, clock.Disk{Sync: 500}
	inTime(t, func(tick time.Duration) (late bool) {
		job.Tick = tick
		var synced clock.Time
		res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Send(1, mailbox.Message{})
				return
			}
			p.Storage().Sync()
			_, _, there := p.Poll(mailbox.Any)
			synced = p.Now()
			late = !there
		})
		require.GreaterOrEqual(t, synced, clock.Time(500))
		return late || res.Ranks[1].Coloured >= 500
	})
}

// Whoever has failed leaves the journal alone, also one that it has not opened before: its next life may be in the middle of a batch.
func TestRankThatHasFailedLeavesItsJournalAlone(t *testing.T) {
	t.Parallel()
	const half = "mangrove stor"
	job := someJob(1, 1)
	job.Faults = schedule(t, "crash:0@step:failed")
	r := prepare(t, job, tcp.Detection{})
	path := filepath.Join(r.storage, "rank-0")
	r.run(t, protocols.Program{Main: func(p protocols.Proc) {
		defer func() {
			os.WriteFile(path, []byte(half), 0o600)
			p.Storage()
		}()
		p.Step("failed")
	}})
	left, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, half, string(left))
}

// What there is nothing to write of needs no place, however often it is synced.
func TestSyncOfNothingWritesNothing(t *testing.T) {
	t.Parallel()
	r := prepare(t, someJob(1, 1), tcp.Detection{})
	r.run(t, protocols.Program{Main: func(p protocols.Proc) {
		for range 5 {
			p.Storage().Sync()
		}
	}})
	left, err := os.ReadDir(r.storage)
	require.NoError(t, err)
	require.Empty(t, left)
}
