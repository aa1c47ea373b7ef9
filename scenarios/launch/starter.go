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
	start(spec processSpec) error
	// kill ends a process, also one that has been stopped. It does not wait for that.
	kill(process int)
	// close kills all processes and returns when none is left.
	close()
}

// ending is the end of a process. It is also what an agent tells a launcher.
type ending struct {
	Process int
	Life    int    `json:",omitempty"`
	Problem string `json:",omitempty"` // "": it ended well
}

// errClosed is about processes that are to be started when all is over.
var errClosed = errors.New("launch: no process is started any more")

// local starts processes on this host.
type local struct {
	command []string
	stderr  io.Writer
	ended   func(ending)
	orders  chan func() // for the thread that all processes are children of

	folder folder // of ranks here that keep something

	mu     sync.Mutex
	closed bool
	last   map[int]*child // by process; it may have ended
	all    sync.WaitGroup
}

// child is a process that was started.
type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	tail  *stderrTail
}

// newLocal makes a starter of processes that run this command.
//
// Linux can kill a process when the thread ends that has started it. So there must be a thread
// that lives as long as they may.
func newLocal(command []string, stderr io.Writer, ended func(ending)) *local {
	l := &local{command: command, stderr: stderr, ended: ended, orders: make(chan func()), last: make(map[int]*child)}
	go func() {
		runtime.LockOSThread()
		for order := range l.orders {
			order()
		}
	}()
	return l
}

func (l *local) start(spec processSpec) error {
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	c, err := l.begin(spec.Process, spec.Life)
	if err != nil {
		return fmt.Errorf("launch: process %d cannot be started: %w", spec.Process, err)
	}
	if _, err := c.stdin.Write(append(text, '\n')); err != nil {
		c.cmd.Process.Kill() // it does not listen; how it ends says more than this error
	}
	return nil
}

// begin starts a process that has yet to be told what to do.
func (l *local) begin(process, life int) (*child, error) {
	cmd := exec.Command(l.command[0], l.command[1:]...)
	c := &child{cmd: cmd, tail: &stderrTail{to: l.stderr}}
	cmd.Stderr = c.tail
	cmd.SysProcAttr = childAttributes()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	var err error
	if c.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	started := make(chan error)
	l.orders <- func() { started <- cmd.Start() }
	if err := <-started; err != nil {
		return nil, err
	}
	if former := l.last[process]; former != nil {
		former.cmd.Process.Kill() // nobody else would
	}
	l.last[process] = c
	l.all.Go(func() { l.await(process, life, c) })
	return c, nil
}

// await lets no zombie be left of a process.
func (l *local) await(process, life int, c *child) {
	e := ending{Process: process, Life: life}
	if err := c.tail.explain(c.cmd.Wait()); err != nil {
		e.Problem = err.Error()
	}
	l.ended(e)
}

func (l *local) kill(process int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.last[process]; c != nil {
		if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			fmt.Fprintf(l.stderr, "launch: process %d cannot be killed: %v\n", process, err)
		}
	}
}

func (l *local) close() {
	l.mu.Lock()
	l.closed = true
	for _, c := range l.last {
		c.cmd.Process.Kill()
	}
	l.mu.Unlock()
	l.all.Wait()
	close(l.orders)
	l.folder.close()
}
