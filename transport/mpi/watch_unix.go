//go:build unix

package mpi

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// A process that is killed can say nothing, and those who are left have no time to: MPICH's mpirun kills them at once, and names the wrong
// one. So each process of a job is two: mpirun starts one that starts the other, waits for it, and tells how it ended. Only when it has done so
// does mpirun notice.

// watchedBy is a variable with the descriptor that connects a process with the one that watches it.
const watchedBy = "MANGROVE_WATCHED_BY"

// watcher is this process' connection with the one that watches it; nil if there is none.
var watcher *os.File

// Watch starts this program once more, as the process that does the work, and returns how that ended; in that process, and in one that is in no
// job of several, it returns nil at once. If the one that watches is killed, the other one tells so and exits.
func Watch(tell func(Fate)) *Fate {
	if fd, err := strconv.Atoi(os.Getenv(watchedBy)); err == nil {
		beWatched(fd, tell)
		return nil
	}
	if n, _ := Launched(); n < 2 {
		return nil
	}
	cmd, line, err := startAgain()
	if err != nil {
		return nil // it goes on alone
	}
	asked := make(chan bool, 1)
	asked <- false
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for s := range signals {
			<-asked
			asked <- true
			_ = cmd.Process.Signal(s) // launchers that signal all processes have it there twice, which does no harm
		}
	}()
	err = cmd.Wait()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		return nil
	}
	fate := fateOf(cmd.ProcessState, <-asked)
	if n, _ := line.Read(make([]byte, 1)); n > 0 && fate.Signal == 0 {
		fate.Orderly = true
	}
	if !fate.Orderly && fate.Signal != syscall.SIGKILL {
		time.Sleep(Pause)
	}
	return &fate
}

// startAgain starts the program with a connection to this process. The descriptors that the launcher has given to this one are there, too.
func startAgain() (cmd *exec.Cmd, line *os.File, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, err
	}
	syscall.CloseOnExec(pair[0])
	cmd = exec.Command(program)
	cmd.Args = os.Args
	cmd.Env = append(os.Environ(), watchedBy+"="+strconv.Itoa(pair[1]))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Start()
	syscall.Close(pair[1])
	return cmd, os.NewFile(uintptr(pair[0]), "watched"), err
}

// fateOf is how a process has ended, which somebody may have asked to.
func fateOf(state *os.ProcessState, asked bool) Fate {
	fate := newFate()
	fate.Status = state.ExitCode()
	if how, ok := state.Sys().(syscall.WaitStatus); ok && how.Signaled() {
		fate.Signal = how.Signal()
		fate.Status = 128 + int(fate.Signal)
	}
	fate.Orderly = asked && fate.Signal != syscall.SIGKILL
	return fate
}

// beWatched waits for the end of the process that watches this one.
func beWatched(fd int, tell func(Fate)) {
	os.Unsetenv(watchedBy)
	syscall.CloseOnExec(fd)
	watcher = os.NewFile(uintptr(fd), "watcher")
	go func() {
		_, _ = watcher.Read(make([]byte, 1)) // nothing ever comes
		fate := newFate()
		fate.Unwatched = true
		tell(fate)
		os.Exit(1)
	}()
}

// farewell tells the process that watches this one that all is in order.
func farewell() {
	if watcher != nil {
		_, _ = watcher.Write([]byte{0})
	}
}
