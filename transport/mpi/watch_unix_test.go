//go:build unix && !mpi

package mpi_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// TestMain makes this program a process of a job if a test starts it as one.
func TestMain(m *testing.M) {
	if role := os.Getenv("MANGROVE_TEST_ROLE"); role != "" {
		os.Exit(play(role))
	}
	os.Exit(m.Run())
}

// play watches, or does what processes of jobs may do.
func play(role string) (status int) {
	if status, goesOn := mpi.Watch(func(f mpi.Fate) { fmt.Println("told:", f) }); !goesOn {
		return status
	}
	switch role {
	case "leaves":
		mpi.Leave()
		return 3
	case "killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "waits":
		signals := make(chan os.Signal, 2)
		signal.Notify(signals, syscall.SIGTERM)
		fmt.Println(os.Getppid())
		<-signals
		return 130
	case "aborts":
		return abort()
	}
	return 0
}

// abort is what MPICH does in MPI_Init if it does not find another process.
func abort() (status int) {
	fd, err := strconv.Atoi(os.Getenv("PMI_FD"))
	if err != nil {
		return 1
	}
	launcher := os.NewFile(uintptr(fd), "launcher")
	fmt.Fprintln(launcher, "cmd=init")
	answer, _ := bufio.NewReader(launcher).ReadString('\n')
	fmt.Println("answer:", strings.TrimSpace(answer))
	fmt.Fprintln(launcher, "cmd=abort exitcode=15")
	return 15
}

// watched is a process of a job that is played, and the one that watches it.
func watched(t *testing.T, role string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "MANGROVE_TEST_ROLE="+role, "PMI_SIZE=4", "PMI_RANK=2", "PMI_FD=", "OMPI_COMM_WORLD_SIZE=", "SLURM_STEP_NUM_TASKS=")
	return cmd
}

// Whoever watches a process tells how it ended, and exits as it did.
func TestAWatchedProcessEndsInSight(t *testing.T) {
	host, err := os.Hostname()
	require.NoError(t, err)
	who := "process 2 of 4 on host " + host
	for role, want := range map[string]struct {
		text   string
		status int
	}{
		"leaves":      {"", 3},
		"killed":      {"told: " + who + " is gone: killed, by somebody or because memory ran out\n", 128 + 9},
		"just is off": {"told: " + who + " has ended alone, with exit status 0\n", 1},
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			cmd := watched(t, role)
			text, _ := cmd.Output()
			require.Equal(t, want.text, string(text))
			require.Equal(t, want.status, cmd.ProcessState.ExitCode())
		})
	}
}

// waiting starts a process that waits for a signal, and returns what it prints, and the process that watches it.
func waiting(t *testing.T) (cmd *exec.Cmd, out *bufio.Reader) {
	cmd = watched(t, "waits")
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	out = bufio.NewReader(pipe)
	line, err := out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(cmd.Process.Pid), strings.TrimSpace(line))
	return cmd, out
}

// The process that does the work does not outlive the one that watches it, and says why.
func TestAProcessThatIsNotWatchedAnyMoreEnds(t *testing.T) {
	cmd, out := waiting(t)
	require.NoError(t, cmd.Process.Kill())
	text, err := io.ReadAll(out) // until it has ended, too
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(text, []byte("told: process 2 of 4 on host ")), "%s", text)
	require.Error(t, cmd.Wait())
}

// Who asks the one that watches to end means the other one.
func TestSignalsReachTheProcessThatIsWatched(t *testing.T) {
	cmd, out := waiting(t)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	text, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Empty(t, text)
	require.Error(t, cmd.Wait())
	require.Equal(t, 130, cmd.ProcessState.ExitCode())
}

// A process that has not joined its job cannot end it before those who know more have told what they know.
func TestAProcessThatHasNotJoinedDoesNotEndTheJob(t *testing.T) {
	t.Parallel()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	launcher, far := os.NewFile(uintptr(pair[0]), "launcher"), os.NewFile(uintptr(pair[1]), "far end")
	defer launcher.Close()
	cmd := watched(t, "aborts")
	cmd.Env = append(cmd.Env, "PMI_FD=3")
	cmd.ExtraFiles = []*os.File{far}
	var out bytes.Buffer
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	require.NoError(t, far.Close())

	requests := bufio.NewReader(launcher)
	request := func() string {
		text, err := requests.ReadString('\n')
		require.NoError(t, err)
		return text
	}
	require.Equal(t, "cmd=init\n", request())
	fmt.Fprintln(launcher, "cmd=welcome")
	require.Equal(t, "cmd=init pmi_version=1 pmi_subversion=1\n", request(), "of the one that watches, as the other is gone")
	fmt.Fprintln(launcher, "cmd=welcome again")
	require.Error(t, cmd.Wait())
	require.Equal(t, 15, cmd.ProcessState.ExitCode())
	require.Regexp(t, "^answer: cmd=welcome\ntold: process 2 of 4 on host [^ ]+ has ended alone, with exit status 15\n$", out.String())
}
