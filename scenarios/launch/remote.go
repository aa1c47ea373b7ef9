package launch

import (
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// remote starts processes on another host, over an agent there.
type remote struct {
	host   string
	cmd    *exec.Cmd
	tail   *stderrTail
	ended  func(ending)
	lost   func(error) // called if the agent ends though nobody wants it to
	stdin  io.WriteCloser
	stdout io.ReadCloser
	orders *json.Encoder
	done   chan struct{} // closed when the agent has ended
	// patience is how long the agent may take to end.
	patience time.Duration

	mu     sync.Mutex
	closed bool
	gone   bool // the agent has ended
}

// Usual commands for other hosts.
var (
	usualShell = []string{"ssh", "-o", "BatchMode=yes"}
	usualAgent = []string{"mangrove", "agent"}
)

func newRemote(host Host, o Options, ended func(ending), lost func(error)) (*remote, error) {
	shell, agent := o.Shell, o.Agent
	if shell == nil {
		shell = usualShell
	}
	if agent == nil {
		agent = usualAgent
	}
	args := slices.Concat(shell[1:], []string{host.Name}, agent)
	r := &remote{
		host: host.Name, cmd: exec.Command(shell[0], args...), tail: &stderrTail{to: o.Stderr}, ended: ended, lost: lost,
		done: make(chan struct{}), patience: agentPatience,
	}
	r.cmd.Stderr = r.tail
	r.cmd.WaitDelay = agentPatience // others may still have its standard error
	r.cmd.SysProcAttr = agentAttributes()
	var err error
	if r.stdin, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if r.stdout, err = r.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := r.cmd.Start(); err != nil {
		return nil, fmt.Errorf("launch: host %s: %w", host.Name, err)
	}
	r.orders = json.NewEncoder(r.stdin)
	go r.listen()
	return r, nil
}

// listen hears how processes end. If the agent does, all of them have.
func (r *remote) listen() {
	defer close(r.done)
	decoder := json.NewDecoder(r.stdout)
	for {
		var e ending
		if err := decoder.Decode(&e); err != nil {
			break
		}
		if e.Problem != "" {
			e.Problem = fmt.Sprintf("host %s: %s", r.host, e.Problem)
		}
		r.ended(e)
	}
	err := r.tail.explain(r.cmd.Wait())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = true
	switch {
	case r.closed:
	case err == nil:
		r.lost(fmt.Errorf("launch: the agent on host %s has ended", r.host))
	default:
		r.lost(fmt.Errorf("launch: the agent on host %s has ended: %w", r.host, err))
	}
}

func (r *remote) start(spec processSpec) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return fmt.Errorf("launch: process %d cannot be started: there is no agent on host %s", spec.Process, r.host)
	}
	r.orders.Encode(order{Start: &spec}) // if it does not listen it has ended, which says more
	return nil
}

func (r *remote) kill(process int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.orders.Encode(order{Kill: &process}) // an agent that has ended has killed it
}

// agentPatience is how long an agent may take to end.
const agentPatience = 30 * time.Second

func (r *remote) close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stdin.Close()
	select {
	case <-r.done:
	case <-time.After(r.patience):
		r.cmd.Process.Kill()
		r.stdout.Close() // what the shell has started may still have it
		<-r.done
	}
}
