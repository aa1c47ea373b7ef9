//go:build mpi && linux

package command

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// endurable is a command that is long enough for something to happen to it.
type endurable struct {
	args  func(folder string) []string
	keeps string // the file in the folder with what it goes on with, if it does
}

const campaignOfKills = `name = "c"
line = "broadcast P=300"
runs = 200
seed = 3
[[sweep]]
key = "faults"
values = ["none", "crash:~1", "crash:~4"]
`

var endurables = []endurable{
	{args: func(string) []string { return []string{"run", "broadcast", "P=65536", "--check"} }},
	{args: func(folder string) []string {
		return []string{"campaign", filepath.Join(folder, "c.toml"), "--out", filepath.Join(folder, "results")}
	}, keeps: "results"},
	{args: func(folder string) []string {
		return []string{"explore", "broadcast", "P=12", "numbering=in-order", "faults<=2", "--roots", "--state", filepath.Join(folder, "state")}
	}, keeps: "state"},
	{args: func(string) []string { return []string{"run", "gossip", "P=20000", "faults=crash:1%", "--json"} }},
}

// undisturbed is what a command comes to if nothing happens to it, and how long that takes as a job.
type undisturbed struct {
	endurable
	stdout string // but for costs, and the name of the folder
	status int
	kept   string
	took   time.Duration
}

// measure runs a command alone, and as a job of four, which must come to the same.
func (e endurable) measure(t *testing.T) undisturbed {
	folder := e.folder(t)
	alone := mangroveWith(t.Context(), catalog.All(), e.args(folder)...)
	u := undisturbed{endurable: e, stdout: inFolder(alone.stdout, folder), status: alone.status, kept: e.kept(t, folder)}
	folder = e.folder(t)
	began := time.Now()
	r := startMPI(t, 4, e.args(folder)...).result()
	u.took = time.Since(began)
	u.requireWhole(t, r, folder)
	return u
}

func (e endurable) folder(t *testing.T) string {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "c.toml"), []byte(campaignOfKills), 0o666))
	return folder
}

// kept is what a command has left in its folder.
func (e endurable) kept(t *testing.T, folder string) string {
	if e.keeps == "" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(folder, e.keeps))
	require.NoError(t, err)
	return string(text)
}

// inFolder is text without what differs from one undisturbed run to the next.
func inFolder(text, folder string) string {
	return withoutCost(strings.ReplaceAll(text, folder, "FOLDER"))
}

// requireWhole requires all that an undisturbed run leaves behind.
func (u undisturbed) requireWhole(t *testing.T, r result, folder string) {
	t.Helper()
	require.Equal(t, u.stdout, inFolder(r.stdout, folder), r.stderr)
	require.Equal(t, u.status, r.status, r.stderr)
	require.Equal(t, u.kept, u.endurable.kept(t, folder))
}

// requireNoFalseReport requires that a job to which something has happened says nothing that is not so: as much of the report as there was time
// for, or what it had found until then.
func (u undisturbed) requireNoFalseReport(t *testing.T, r result, folder string) {
	t.Helper()
	require.NotEqual(t, statusHeld, r.status)
	said := inFolder(r.stdout, folder)
	if !strings.Contains(said, "INTERRUPTED") {
		require.True(t, strings.HasPrefix(u.stdout, said), "%s\n%s", said, r.stderr)
	}
}

// kills is how many times something happens to jobs.
func kills() int {
	if thorough.All() {
		return 50
	}
	return len(endurables)
}

// A process that is killed ends the job: nothing is reported that is not so, nobody is left, and the user is told whom it was, and what to do. What can go
// on does so when it is started again, and comes to the same.
func TestAProcessOfAnMPIJobIsKilled(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 5))
	all := make([]undisturbed, len(endurables))
	for i, e := range endurables {
		all[i] = e.measure(t)
	}
	for n, done := 0, 0; done < kills(); n++ {
		u := &all[n%len(all)]
		index, worker := random.IntN(4), random.IntN(4) > 0
		at := time.Duration(random.Float64() * float64(u.took))
		t.Run(fmt.Sprintf("%d %s", n, u.args("")[0]), func(t *testing.T) {
			folder := u.folder(t)
			began := time.Now()
			j := startMPI(t, 4, u.args(folder)...)
			time.Sleep(at)
			victim := j.kill(index, worker)
			if victim == nil { // it was over before
				u.requireWhole(t, j.result(), folder)
				u.took = min(u.took, time.Since(began)) // earlier the next time
				return
			}
			done++
			r := j.ended(t)
			t.Logf("process %d (doing the work: %t) at %v of %v: exit status %d\n%s\n%s", index, victim.watched, at, u.took, r.status, r.stdout, r.stderr)
			if r.status == u.status && u.status == statusHeld { // it was about to end
				u.requireWhole(t, r, folder)
				return
			}
			u.requireNoFalseReport(t, r, folder)
			if victim.watched {
				_, told, _ := strings.Cut(r.stderr, "mangrove: process ")
				require.Regexp(t, fmt.Sprintf("^%d of 4 on host [^ ]+ is gone: killed.*; the job ends: start it again, ", index), told, "%s", r.stderr)
			}
			if u.keeps != "" {
				u.requireWhole(t, startMPI(t, 4, u.args(folder)...).result(), folder)
			}
		})
	}
}

// kill kills a process of a job, as soon as both of its halves are there: the one that does the work, or the one that watches it. It returns nil if the
// job is over.
func (j *mpiJob) kill(index int, worker bool) *process {
	for !j.isOver() {
		both := j.processes()
		both = slices.DeleteFunc(both, func(p process) bool { return p.index != index })
		i := slices.IndexFunc(both, func(p process) bool { return p.watched == worker })
		if len(both) == 2 && i >= 0 && syscall.Kill(both[i].pid, syscall.SIGKILL) == nil {
			return &both[i]
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// awaitWorkers waits until so many processes are at work, or the job is over.
func (j *mpiJob) awaitWorkers(count int) {
	for !j.isOver() {
		if workers := slices.DeleteFunc(j.processes(), func(p process) bool { return !p.watched }); len(workers) >= count {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Ctrl-C ends a job as it ends a process.
func TestAnMPIJobIsInterrupted(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 6))
	for i, e := range endurables {
		u := e.measure(t)
		for n := range (kills() + len(endurables) - 1 - i) / len(endurables) {
			at := time.Duration(random.Float64() * float64(u.took))
			t.Run(fmt.Sprintf("%d %s", n, u.args("")[0]), func(t *testing.T) {
				folder := u.folder(t)
				j := startMPI(t, 4, u.args(folder)...)
				time.Sleep(at)
				j.awaitWorkers(4)                      // MPICH's mpirun hangs, with any program, if there is nobody yet to pass it on to
				_ = j.cmd.Process.Signal(os.Interrupt) // unless it is over
				r := j.ended(t)
				t.Logf("at %v of %v: exit status %d\n%s\n%s", at, u.took, r.status, r.stdout, r.stderr)
				if r.status == u.status && u.status == statusHeld {
					u.requireWhole(t, r, folder)
					return
				}
				u.requireNoFalseReport(t, r, folder)
				if u.keeps != "" {
					u.requireWhole(t, startMPI(t, 4, u.args(folder)...).result(), folder)
				}
			})
		}
	}
}
