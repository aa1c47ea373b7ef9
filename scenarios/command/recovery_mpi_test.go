//go:build mpi && !mpich && linux

package command

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recovering starts a job that survives the end of processes.
func recovering(t *testing.T, processes int, args ...string) *mpiJob {
	t.Helper()
	return startMPIWords(t, append([]string{"--enable-recovery", "-n", fmt.Sprint(processes), os.Args[0]}, args...)...)
}

// Where each rank has a process, a crash kills that, and the others go on. mpirun exits with 0 then, whatever comes of it.
func TestMPIJobSurvivesCrashesOfItsProcesses(t *testing.T) {
	for _, words := range [][]string{
		{"broadcast", "faults=crash:3@send1,crash:5@t4"},
		{"gossip", "faults=crash:2@send3,crash:6"},
		{"reduce", "f=2", "faults=crash:7@send1,crash:4@t2"},
		{"collective", "op=allreduce", "detector=perfect", "faults=crash:5@t6,crash:1@send2"},
		{"membership", "faults=crash:4@t90,crash:6@t130"},
		{"ulfm", "faults=crash:3@t5"},
	} {
		t.Run(words[0], func(t *testing.T) {
			job := recovering(t, 8, joining(words[0], words[1:]...)...)
			<-job.over
			j := joinOf(t, job.result())
			require.Equal(t, 8, j.Processes)
			require.Len(t, j.Report.Failed, strings.Count(words[len(words)-1], "crash:"))
			for _, f := range j.Report.Failed {
				require.Equal(t, "crashed", f.Outcome)
			}
			job.requireGone(t)
		})
	}
}

// A process that somebody else kills is in the report; without the first one there is none, and all others say so.
func TestMPIJobTellsOfProcessesThatWereKilled(t *testing.T) {
	for victim, says := range map[int]string{
		2: "rank 2: its process was killed or stopped by somebody else",
		0: "process 1 of 4: tcp: process 1 has lost process 0 at 127.0.0.1:",
	} {
		var r result
		for wait := 500 * time.Millisecond; ; wait *= 2 {
			job := recovering(t, 4, "join", "broadcast", "start=overlapped", "repeat=400", "period=60", "tick=2ms")
			job.killWorker(victim, wait)
			<-job.over
			job.requireGone(t)
			r = job.result()
			if !strings.Contains(r.stderr, "is gone: killed") {
				break // else the run had not begun
			}
		}
		require.Contains(t, r.stdout+r.stderr, says)
		require.Equal(t, victim == 0, r.stdout == "", r.stdout)
	}
}

// One that is killed before the run has begun cannot be done without: there is nobody yet who would go on.
func TestMPIJobThatSurvivesEndsIfAProcessIsKilledTooEarly(t *testing.T) {
	for _, wait := range []time.Duration{0, 50 * time.Millisecond, 100 * time.Millisecond, 150 * time.Millisecond} {
		job := recovering(t, 4, "join", "broadcast", "tick=20ms", "start=overlapped")
		job.killWorker(2, wait)
		<-job.over
		job.requireGone(t)
	}
}

// killWorker kills the process with that number which does the work, some time after it was started.
func (j *mpiJob) killWorker(index int, wait time.Duration) {
	for !j.isOver() {
		for _, p := range j.processes() {
			if p.index == index && p.watched {
				time.Sleep(wait)
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
				return
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}
