//go:build unix

package mpi

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// A process that is killed can say nothing, and those who are left have no time to: MPICH's mpirun kills them at once, and names the wrong
// one. So each process of a job is two: mpirun starts one that starts the other, waits for it, and tells how it ended. Only when it has done so
// does mpirun notice.

// watchedBy is a variable with the descriptor that connects a process with the one that watches it.
const watchedBy = "MANGROVE_WATCHED_BY"

// logOfUCX is the variable with where UCX, which MPI libraries use, writes what it complains of: to standard output, unless told otherwise, where
// the report belongs.
const logOfUCX = "UCX_LOG_FILE"

// watcher is this process' connection with the one that watches it; nil if there is none.
var watcher *os.File

// Watch starts this program once more, as the process that does the work, waits for it, tells if that has not ended as it should, and returns what
// to exit with. In that process, and in one that is in no job of several, it returns at once, and goes on is true. If the one that watches is killed,
// the other one tells so and exits.
func Watch(tell func(Fate)) (status int, goesOn bool) {
	if fd, err := strconv.Atoi(os.Getenv(watchedBy)); err == nil {
		beWatched(fd, tell)
		return 0, true
	}
	if n, _ := Launched(); n < 2 {
		return 0, true
	}
	l := findLauncher(connectedBy)
	words := &words{over: make(chan struct{})}
	cmd, err := startAgain(l, words)
	if err != nil {
		return 0, true // nobody watches
	}
	fate := watch(cmd, words)
	if fate.orderly {
		if fate.Signal != 0 && !fate.joined {
			l.introduce() // it was asked to end before it could say so
		}
		return fate.Status, false
	}
	return fate.end(l, tell), false
}

// watch waits for the end of the other process.
func watch(cmd *exec.Cmd, words *words) Fate {
	asked := make(chan bool, 1)
	asked <- false
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for s := range signals {
			<-asked
			asked <- true
			_ = cmd.Process.Signal(s) // launchers that signal all processes have it there twice, which does no harm
			time.AfterFunc(Pause, func() {
				if !words.joined.Load() { // it waits in MPI_Init for others that are gone
					words.ended.Store(true)
					_ = cmd.Process.Kill()
				}
			})
		}
	}()
	_ = cmd.Wait() // how it ended is looked at next
	fate := fateOf(cmd.ProcessState, <-asked)
	<-words.over
	fate.joined = words.joined.Load()
	if words.ended.Load() && fate.Signal == syscall.SIGKILL {
		fate.orderly, fate.Status = true, 128+int(syscall.SIGINT)
	}
	if words.left.Load() && fate.Signal == 0 || words.expendable.Load() {
		fate.orderly = true
	}
	if !fate.orderly && fate.Signal != syscall.SIGKILL {
		time.Sleep(Pause)
	}
	return fate
}

// words are what the process has said that is watched.
type words struct {
	joined, left atomic.Bool
	expendable   atomic.Bool   // others go on without it
	ended        atomic.Bool   // it was killed here, as it would not have ended by itself
	over         chan struct{} // closed when it can say no more
}

// listen hears what it says.
func (w *words) listen(line io.Reader) {
	defer close(w.over)
	said := make([]byte, 1)
	for {
		n, err := line.Read(said)
		switch word := string(said[:n]); word {
		case hello:
			w.joined.Store(true)
		case goodbye:
			w.left.Store(true)
		case expendable:
			w.expendable.Store(true)
		}
		if err != nil {
			return
		}
	}
}

// startAgain starts the program with connections to this process, and to the launcher. The descriptors that the launcher has given to this one are
// there, too.
func startAgain(l *launcher, words *words) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(pair[1])
	syscall.CloseOnExec(pair[0])
	cmd := exec.Command(program)
	cmd.Args = os.Args
	cmd.Env = append(os.Environ(), watchedBy+"="+strconv.Itoa(pair[1]))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if os.Getenv(logOfUCX) == "" {
		cmd.Env = append(cmd.Env, logOfUCX+"=stderr")
	}
	pass := func() {}
	if l != nil {
		far, start, err := l.connect(words.joined.Load)
		if err != nil {
			return nil, err
		}
		defer syscall.Close(far)
		pass = start
		cmd.Env = append(cmd.Env, connectedBy+"="+strconv.Itoa(far), directlyBy+"="+os.Getenv(connectedBy))
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	pass()
	go words.listen(os.NewFile(uintptr(pair[0]), "watched"))
	return cmd, nil
}

// fateOf is how a process has ended, which somebody may have asked to.
func fateOf(state *os.ProcessState, asked bool) Fate {
	fate := newFate()
	fate.Status = state.ExitCode()
	if how, ok := state.Sys().(syscall.WaitStatus); ok && how.Signaled() {
		fate.Signal = how.Signal()
		fate.Status = 128 + int(fate.Signal)
	}
	fate.orderly = asked && fate.Signal != syscall.SIGKILL
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
		fate.joined = hasJoined.Load()
		l := findLauncher(directlyBy)
		if l != nil {
			go l.passAnswers(io.Discard)
		}
		os.Exit(fate.end(l, tell))
	}()
}

// end tells how a process has ended, and returns what to exit with, upon which the launcher ends all others.
func (f Fate) end(l *launcher, tell func(Fate)) (status int) {
	tell(f)
	if !f.joined { // launchers are weak then: they have time to pass on what was told, and others to connect
		time.Sleep(Pause)
		l.introduce()
	}
	if survives() { // and does not end the others of its own accord
		_ = syscall.Kill(os.Getppid(), syscall.SIGTERM)
	}
	return max(1, f.Status)
}

// What a process says to the one that watches it: that it has joined the job, that it has left it and all is in order, and that others
// go on without it, whatever becomes of it.
const hello, goodbye, expendable = "h", "g", "e"

// hasJoined says that this process has joined its job.
var hasJoined atomic.Bool

// say says something to the process that watches this one.
func say(what string) {
	if what == hello {
		hasJoined.Store(true)
	}
	if watcher != nil {
		_, _ = watcher.WriteString(what)
	}
}
