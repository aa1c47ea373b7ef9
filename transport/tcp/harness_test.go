package tcp_test

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// patience is how long tests wait for what must happen. It is much: machines may be busy.
const patience = 3 * time.Minute

// lines is a log that tests can wait for.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
}

// await waits for a line with all these words.
func (l *lines) await(t *testing.T, words ...string) {
	t.Helper()
	for until := time.Now().Add(patience); !l.has(words...); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			require.Fail(t, "no such line", "%q in\n%s", words, l)
		}
	}
}

func (l *lines) has(words ...string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.all {
		found := true
		for _, w := range words {
			found = found && strings.Contains(line, w)
		}
		if found {
			return true
		}
	}
	return false
}

// someJob is one of so many ranks and processes whose clock ticks every millisecond.
func someJob(ranks, processes int) tcp.Job {
	return tcp.Job{
		Job: wire.NewJob(), LogP: clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}, Processes: processes,
		Tick: time.Millisecond,
	}
}

// running is a job whose processes are in this one, with all that others may attack.
type running struct {
	job         tcp.Job
	coordinator *tcp.Coordinator
	nodes       []*tcp.Node   // nil: the test plays it
	delay       time.Duration // until the run begins
	by          string        // the address through which processes reach the coordinator; "": its own
	storage     string        // the folder of all of them
	log         lines
}

// prepare makes the processes of a job, except those that the test plays itself.
func prepare(t *testing.T, job tcp.Job, d tcp.Detection, played ...int) *running {
	t.Helper()
	r := &running{job: job, delay: 5 * time.Millisecond, nodes: make([]*tcp.Node, job.Processes)}
	var err error
	r.coordinator, err = tcp.NewCoordinator(tcp.CoordinatorConfig{Job: job, Detection: d, Log: r.log.add})
	require.NoError(t, err)
	t.Cleanup(func() { r.coordinator.Close() })
	r.storage = t.TempDir()
	for process := range r.nodes {
		if len(played) > 0 && played[0] == process {
			played = played[1:]
			continue
		}
		n, err := tcp.Listen(tcp.Config{Job: job, Process: process, Storage: r.storage, Log: r.log.add})
		require.NoError(t, err)
		t.Cleanup(func() { n.Close() })
		r.nodes[process] = n
	}
	return r
}

// run runs a program to its end.
func (r *running) run(t *testing.T, program protocols.Program) *tcp.Result {
	t.Helper()
	return r.start(program)(t)
}

// start runs a program, and returns a function that waits for its end.
func (r *running) start(program protocols.Program) (wait func(t *testing.T) *tcp.Result) {
	type end struct {
		*tcp.Result
		error
	}
	ends := make(chan end, 1)
	go func() {
		res, err := r.try(program)
		ends <- end{res, err}
	}()
	return func(t *testing.T) *tcp.Result {
		t.Helper()
		e := <-ends
		require.NoError(t, e.error, "log:\n%s", &r.log)
		for _, n := range r.nodes {
			if n != nil {
				require.NoError(t, n.Close())
			}
		}
		require.NoError(t, r.coordinator.Close())
		return e.Result
	}
}

func (r *running) try(program protocols.Program) (*tcp.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	ends := make(chan error, len(r.nodes))
	for _, n := range r.nodes {
		go func() {
			if n == nil {
				ends <- nil
			} else {
				ends <- r.serve(ctx, n, program)
			}
		}()
	}
	err := r.coordinator.Start(ctx, r.delay)
	if err != nil {
		return nil, err
	}
	res, err := r.coordinator.Wait(ctx)
	for range r.nodes {
		err = errors.Join(err, <-ends)
	}
	return res, err
}

// serve is what a process does.
func (r *running) serve(ctx context.Context, n *tcp.Node, program protocols.Program) error {
	if err := n.Join(ctx, cmp.Or(r.by, r.coordinator.Addr().String())); err != nil {
		return err
	}
	err := n.Run(ctx, program, nil)
	if err != nil {
		n.Close() // as the end of its process does
	}
	return err
}

// ring sends a token around for some time, and for as long as something else goes on.
type ring struct {
	ranks  int // that take part
	rounds []int
	begun  chan struct{} // closed after the first round
	until  chan struct{} // when it may end
}

const (
	token mailbox.Kind = iota + 1
	last
)

func newRing(ranks int) *ring {
	return &ring{ranks: ranks, rounds: make([]int, ranks), begun: make(chan struct{}), until: make(chan struct{})}
}

func (r *ring) program() protocols.Program { return protocols.Program{Main: r.main} }

const leastRounds = 5

func (r *ring) main(p protocols.Proc) {
	me := p.Rank()
	switch {
	case me >= r.ranks:
		return
	case me == 0:
		r.lead(p)
		return
	}
	for {
		_, m := p.Recv(mailbox.From(me - 1))
		if m.A != int64(me) {
			panic("the token has not been everywhere")
		}
		m.A++
		p.Send((me+1)%r.ranks, m)
		if m.Kind == last {
			return
		}
		r.rounds[me]++
	}
}

// lead is what the first rank does: a round every ten ticks, and a last one.
func (r *ring) lead(p protocols.Proc) {
	for kind := token; kind == token; {
		select {
		case <-r.until:
			if r.rounds[0] >= leastRounds {
				kind = last
			}
		default:
		}
		p.Send(1, mailbox.Message{Kind: kind, A: 1})
		if _, m := p.Recv(mailbox.From(r.ranks - 1)); m.A != int64(r.ranks) || m.Kind != kind {
			panic("the token has not been everywhere")
		}
		if kind == token {
			r.rounds[0]++
		}
		if r.rounds[0] == 1 {
			close(r.begun)
		}
		p.WaitUntil(p.Now() + 10)
	}
}

// requireRight makes sure that the token was everywhere as often, and that all has ended well.
func (r *ring) requireRight(t *testing.T, res *tcp.Result) {
	t.Helper()
	for me, rounds := range r.rounds {
		require.Equal(t, r.rounds[0], rounds, "rank %d", me)
	}
	require.GreaterOrEqual(t, r.rounds[0], leastRounds)
	requireFinished(t, res, res.Ranks)
}

// requireFinished makes sure that all of these ranks have returned, or lingered.
func requireFinished(t *testing.T, res *tcp.Result, ranks []report.RankResult) {
	t.Helper()
	for rank, r := range ranks {
		require.Equal(t, report.Finished, r.Outcome, "rank %d: failed %v, deadlocks %v", rank, res.Failed, res.Deadlocks)
	}
}

func TestRingWithoutTrouble(t *testing.T) {
	r, ring := prepare(t, someJob(6, 3), tcp.Detection{}), newRing(6)
	close(ring.until)
	ring.requireRight(t, r.run(t, ring.program()))
	require.Empty(t, r.log.String())
}
