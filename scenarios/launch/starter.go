package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
)

// starter starts the processes of a job on one host.
type starter interface {
	// start starts a process. Its end is told to whoever made the starter.
	start(spec Spec) error
	// kill ends a process, also one that has been stopped. It does not wait for that.
	kill(process int)
	// close kills all processes and returns when none is left.
	close()
}

// ending is the end of a process.
type ending struct {
	process int
	err     error // nil if it ended well
}

// local starts processes on this host.
type local struct {
	command []string
	stderr  io.Writer
	ended   func(ending)
	orders  chan func() // for the thread that all processes are children of

	mu      sync.Mutex
	running map[int]*child // by process
	all     sync.WaitGroup
}

// child is a process that runs.
type child struct {
	cmd   *exec.Cmd
	stdin io.Closer
}

// newLocal makes a starter of processes that run this command.
//
// Linux can kill a process when the thread ends that has started it. So there must be a thread
// that lives as long as they may.
func newLocal(command []string, stderr io.Writer, ended func(ending)) *local {
	l := &local{command: command, stderr: stderr, ended: ended, orders: make(chan func()), running: make(map[int]*child)}
	go func() {
		runtime.LockOSThread()
		for order := range l.orders {
			order()
		}
	}()
	return l
}

func (l *local) start(spec Spec) error {
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	cmd := exec.Command(l.command[0], l.command[1:]...)
	cmd.Stderr = l.stderr
	cmd.SysProcAttr = childAttributes()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	started := make(chan error)
	l.orders <- func() { started <- cmd.Start() }
	if err := <-started; err != nil {
		return fmt.Errorf("launch: process %d cannot be started: %w", spec.Process, err)
	}
	c := &child{cmd, stdin}
	l.mu.Lock()
	l.running[spec.Process] = c
	l.mu.Unlock()
	l.all.Go(func() { l.await(spec.Process, c) })
	if _, err := stdin.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("launch: process %d cannot be told what to do: %w", spec.Process, err)
	}
	return nil
}

// await lets no zombie be left of a process.
func (l *local) await(process int, c *child) {
	err := c.cmd.Wait()
	l.mu.Lock()
	if l.running[process] == c {
		delete(l.running, process)
	}
	l.mu.Unlock()
	l.ended(ending{process, err})
}

func (l *local) kill(process int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.running[process]; c != nil {
		if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			fmt.Fprintf(l.stderr, "launch: process %d cannot be killed: %v\n", process, err)
		}
	}
}

func (l *local) close() {
	l.mu.Lock()
	for _, c := range l.running {
		c.cmd.Process.Kill()
	}
	l.mu.Unlock()
	l.all.Wait()
	close(l.orders)
}
