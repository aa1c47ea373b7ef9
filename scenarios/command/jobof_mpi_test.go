//go:build mpi && linux

package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mpiJob is an MPI job that is under way.
type mpiJob struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	mark           string        // all of its processes have this in their environment
	over           chan struct{} // closed when mpirun has ended
}

var jobs struct {
	sync.Mutex
	last int
}

// startMPI starts a job of this program as mangrove.
func startMPI(t *testing.T, processes int, args ...string) *mpiJob {
	t.Helper()
	return startMPIWords(t, append([]string{"-n", fmt.Sprint(processes), os.Args[0]}, args...)...)
}

// startMPIWords starts what mpirun is told to.
func startMPIWords(t *testing.T, words ...string) *mpiJob {
	t.Helper()
	jobs.Lock()
	jobs.last++
	j := &mpiJob{mark: fmt.Sprintf("MANGROVE_TEST_JOB=%d.%d", os.Getpid(), jobs.last), over: make(chan struct{})}
	jobs.Unlock()
	j.cmd = exec.CommandContext(t.Context(), mpirun[0], append(mpirun[1:len(mpirun):len(mpirun)], words...)...)
	j.cmd.Env = append(os.Environ(), j.mark)
	j.cmd.Stdout, j.cmd.Stderr = &j.stdout, &j.stderr
	require.NoError(t, j.cmd.Start())
	go func() {
		_ = j.cmd.Wait() // what it exits with is asked for later
		close(j.over)
	}()
	t.Cleanup(func() { j.killAll() })
	return j
}

// process is one of a job.
type process struct {
	pid     int
	index   int  // in the job; below 0: it is one of mpirun's
	watched bool // by another one, of the same index
}

// processes are those of the job that are alive.
func (j *mpiJob) processes() (all []process) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		text, err := os.ReadFile(file) // empty of those that have ended and are not buried yet
		if err != nil || !bytes.Contains(text, []byte(j.mark+"\x00")) {
			continue
		}
		p := process{index: -1}
		p.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
		for _, variable := range bytes.Split(text, []byte{0}) {
			name, value, _ := strings.Cut(string(variable), "=")
			switch name {
			case "OMPI_COMM_WORLD_RANK", "PMI_RANK":
				p.index, _ = strconv.Atoi(value)
			case "MANGROVE_WATCHED_BY":
				p.watched = true
			}
		}
		all = append(all, p)
	}
	return all
}

// requireGone waits until no process of the job is left: mpirun may end before those that it has killed are dead.
func (j *mpiJob) requireGone(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return len(j.processes()) == 0 }, patience, 10*time.Millisecond)
}

// isOver reports whether mpirun has ended.
func (j *mpiJob) isOver() bool {
	select {
	case <-j.over:
		return true
	default:
		return false
	}
}

// killAll leaves nobody behind, whatever the test has found.
func (j *mpiJob) killAll() {
	for _, p := range j.processes() {
		if process, err := os.FindProcess(p.pid); err == nil {
			_ = process.Kill()
		}
	}
	<-j.over
}

// ended waits for the end of all of it, as long as it may take after a process was killed.
func (j *mpiJob) ended(t *testing.T) result {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !j.isOver() || len(j.processes()) > 0 {
		if time.Now().After(deadline) {
			return j.leftAlone(t)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return j.result()
}

// leftAlone is about a job that has not ended in time. There is only one good reason for that: mpirun waits for ever for nobody, as Open MPI's may.
func (j *mpiJob) leftAlone(t *testing.T) result {
	t.Helper()
	left := j.processes()
	for _, p := range left {
		require.Negative(t, p.index, "left: %+v", left)
	}
	j.killAll()
	r := j.result()
	require.NotEmpty(t, mpirunHangs, "mpirun is left: %+v\n%s", left, r.stderr)
	require.Contains(t, r.stderr, mpirunHangs)
	return r
}

// result is what a job that is over has left behind.
func (j *mpiJob) result() result {
	<-j.over
	return result{mpirunSays.ReplaceAllString(j.stdout.String(), ""), j.stderr.String(), j.cmd.ProcessState.ExitCode()}
}

// mpirunSays is what MPICH's mpirun has to say on standard output, also in the middle of what we say.
var mpirunSays = regexp.MustCompile(`(?s)\n=+\n=   BAD TERMINATION.*|\[mpiexec@[^]]*\] [^\n]*\n`)
