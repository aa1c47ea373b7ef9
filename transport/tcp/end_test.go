package tcp_test

import (
	"context"
	"errors"
	"net"
	"runtime"
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

func TestDeadlockIsReportedWithWhatRanksWaitFor(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{1, 4} {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		res, err := tcp.RunLocal(ctx, someJob(4, processes), tcp.Detection{}, protocols.Program{
			KindName: func(k mailbox.Kind) string { return []string{"zero", "ack"}[k] },
			Main: func(p protocols.Proc) {
				switch p.Rank() {
				case 0:
					p.WaitUntil(20)
					p.Recv(mailbox.From(1).OfKind(1))
				case 1:
					p.Send(0, mailbox.Message{Kind: 0}) // not what it waits for
					p.Recv(mailbox.Any)
				case 2:
					p.Linger(mailbox.Any)
				}
			},
		})
		require.NoError(t, err)
		require.Empty(t, res.Failed)
		require.Len(t, res.Deadlocks, 2)
		waits := res.Deadlocks[0]
		require.Equal(t, report.Deadlocked, res.Ranks[0].Outcome)
		require.Equal(t, "Recv", waits.Call)
		require.Equal(t, "kind=ack from 1", waits.Want)
		require.Equal(t, "no rank has failed and no message is under way", waits.Cause)
		require.GreaterOrEqual(t, waits.Since, clock.Time(20))
		require.Less(t, waits.Since, far)
		require.Equal(t, clock.Never, res.Ranks[0].Exit)

		require.Equal(t, report.Deadlocked, res.Ranks[1].Outcome)
		require.Equal(t, "any", res.Deadlocks[1].Want)
		require.Equal(t, report.Finished, res.Ranks[2].Outcome, "lingering is no deadlock")
		require.Equal(t, report.Finished, res.Ranks[3].Outcome)
	}
}

// panicsHere is there for its name in the stack.
func panicsHere() { panic("boom") }

func TestPanicOfAProgramEndsTheRun(t *testing.T) {
	t.Parallel()
	job := someJob(4, 2)
	job.MaxFrame = 1000
	for name, c := range map[string]struct {
		main        func(p protocols.Proc)
		says, stack string
	}{
		"panic":               {func(protocols.Proc) { panicsHere() }, "boom", "panicsHere"},
		"Goexit":              {func(protocols.Proc) { runtime.Goexit() }, "the program ended its goroutine with runtime.Goexit", ""},
		"no such rank":        {func(p protocols.Proc) { p.Send(4, mailbox.Message{}) }, "Send to rank 4, want 0 to 3", "Send"},
		"notice":              {func(p protocols.Proc) { p.Send(0, mailbox.Message{Kind: protocols.Failed}) }, "Send of kind 255", "Send"},
		"message is too long": {func(p protocols.Proc) { p.Send(0, mailbox.Message{Payload: strings.Repeat("x", 1000)}) }, "Send of 1000 bytes, want 941 or fewer", "Send"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			res, err := tcp.RunLocal(ctx, job, tcp.Detection{}, protocols.Program{Main: func(p protocols.Proc) {
				if p.Rank() == 2 {
					p.WaitUntil(10)
					c.main(p)
				}
				p.Recv(mailbox.None)
			}})
			var panicked *tcp.Panic
			require.ErrorAs(t, err, &panicked)
			require.Nil(t, res)
			require.Equal(t, 2, panicked.Rank)
			require.GreaterOrEqual(t, panicked.Time, clock.Time(10))
			require.Contains(t, panicked.Value, c.says)
			require.Contains(t, panicked.Stack, c.stack)
			require.ErrorContains(t, err, "tcp: rank 2 panicked at t=")
		})
	}
}

func TestMessagesOfTheGreatestLengthGetThrough(t *testing.T) {
	t.Parallel()
	job := someJob(2, 2)
	job.MaxFrame = 1000
	length := 0
	res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{Payload: strings.Repeat("x", 1000-wire.Overhead)})
			return
		}
		_, m := p.Recv(mailbox.Any)
		length = len(m.Payload)
	})
	require.Equal(t, 1000-wire.Overhead, length)
	require.Empty(t, res.Failed)
}

var errEnough = errors.New("enough")

// farAway is an instant that no test waits for; that somebody does keeps a run from being over.
const farAway clock.Time = 1e9

func TestCancelEndsEverything(t *testing.T) {
	t.Parallel()
	for name, main := range map[string]func(p protocols.Proc){
		"waiting": func(p protocols.Proc) { p.WaitUntil(farAway) },
		"working": func(p protocols.Proc) {
			for {
				p.Now()
			}
		},
		"sending": func(p protocols.Proc) {
			for to := 0; ; to = (to + 1) % p.Size() {
				p.Send(to, mailbox.Message{})
				p.Poll(mailbox.Any)
				p.WaitUntil(p.Now() + 1)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			var once sync.Once
			_, err := tcp.RunLocal(ctx, someJob(4, 2), tcp.Detection{}, protocols.Program{Main: func(p protocols.Proc) {
				once.Do(func() { time.AfterFunc(20*time.Millisecond, func() { cancel(errEnough) }) })
				main(p)
			}})
			require.ErrorIs(t, err, errEnough)
		})
	}
}

// A rank that lingers has finished when it began to, whatever it has answered since; one that returns, when it does.
func TestRanksThatLingerHaveFinishedWhenTheyBegan(t *testing.T) {
	t.Parallel()
	began := make([]clock.Time, 2)
	res := run(t, someJob(2, 2), tcp.Detection{}, func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.WaitUntil(30)
			began[0] = p.Now()
			p.Send(1, mailbox.Message{})
			return
		}
		p.Linger(mailbox.Any)
		began[1] = p.Now()
		p.Linger(mailbox.Any)
	})
	requireFinished(t, res, res.Ranks)
	for rank, r := range res.Ranks {
		require.GreaterOrEqual(t, r.Exit, began[rank], "rank %d", rank)
		require.LessOrEqual(t, r.Exit, res.Exit, "rank %d", rank)
		require.Less(t, r.Exit, clock.Never, "rank %d", rank)
	}
	require.GreaterOrEqual(t, res.Quiescence, began[0], "there was a message then")
}

// Nobody waits for the crash of a rank that has nothing more to do than to answer.
func TestRunDoesNotWaitForTheCrashOfARankThatLingers(t *testing.T) {
	t.Parallel()
	job := someJob(2, 2)
	job.Faults = schedule(t, "crash:1@t1000000000")
	res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.Linger(mailbox.Any)
		}
	})
	requireFinished(t, res, res.Ranks)
	require.Equal(t, job.Faults, res.Unfired)
}

// Programs that never wait for anything end in their next call, whatever that is.
func TestCancelEndsProgramsThatNeverWait(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(p protocols.Proc){
		"Now":       func(p protocols.Proc) { p.Now() },
		"Step":      func(p protocols.Proc) { p.Step("again") },
		"Poll":      func(p protocols.Proc) { p.Poll(mailbox.Any) },
		"WaitUntil": func(p protocols.Proc) { p.WaitUntil(0) },
		"RecvUntil": func(p protocols.Proc) { p.RecvUntil(mailbox.Any, 0) },
		"Send":      func(p protocols.Proc) { p.Send(0, mailbox.Message{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			var once sync.Once
			_, err := tcp.RunLocal(ctx, someJob(1, 1), tcp.Detection{}, protocols.Program{Main: func(p protocols.Proc) {
				for {
					call(p)
					once.Do(cancel)
				}
			}})
			require.ErrorIs(t, err, context.Canceled)
		})
	}
}

func TestStartDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	err := startWithout2(t, time.Second)
	for wait := 2 * time.Second; !strings.Contains(err.Error(), "process 2 has not joined") && wait < patience; wait *= 2 {
		err = startWithout2(t, wait) // the others need longer to come
	}
	require.ErrorContains(t, err, "process 2 has not joined")
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// startWithout2 waits some time for four processes of which one does not come, and returns what is said about it.
func startWithout2(t *testing.T, wait time.Duration) error {
	t.Helper()
	r := prepare(t, someJob(4, 4), tcp.Detection{}, 2)
	joining, stop := context.WithCancel(context.Background())
	defer stop()
	var wg sync.WaitGroup
	for process, n := range r.nodes {
		if n != nil {
			wg.Go(func() {
				err := n.Join(joining, r.coordinator.Addr().String())
				if !errors.Is(err, context.Canceled) {
					t.Errorf("process %d: %v", process, err)
				}
			})
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	err := r.coordinator.Start(ctx, 0)
	stop()
	wg.Wait()
	require.Error(t, err)
	return err
}

func TestProcessesEndWithTheirCoordinator(t *testing.T) {
	t.Parallel()
	r := prepare(t, someJob(2, 2), tcp.Detection{})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ends := make(chan error, 2)
	for _, n := range r.nodes {
		go func() {
			ends <- r.serve(ctx, n, protocols.Program{Main: func(p protocols.Proc) { p.WaitUntil(farAway) }})
		}()
	}
	err := r.coordinator.Start(ctx, 0)
	require.NoError(t, err)
	require.NoError(t, r.coordinator.Close())
	for range r.nodes {
		require.ErrorContains(t, <-ends, "has lost the launcher at ")
	}
	_, err = r.coordinator.Wait(ctx)
	require.ErrorContains(t, err, "the coordinator was closed")
}

// A process that goes away has crashed with all its ranks. The others go on.
func TestProcessThatEndsHasCrashed(t *testing.T) {
	t.Parallel()
	r := prepare(t, someJob(4, 2), tcp.Detection{Offered: true})
	noticed := make([]bool, 4)
	res, err := func() (*tcp.Result, error) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		ends := make([]chan error, 2)
		program := protocols.Program{Main: func(p protocols.Proc) {
			if p.Rank() >= 2 {
				time.AfterFunc(10*time.Millisecond, func() { r.nodes[1].Close() })
				p.WaitUntil(farAway)
			}
			d, err := protocols.DetectorOf(p)
			if err != nil {
				panic(err)
			}
			d.Watch(2 + p.Rank())
			from, _ := p.Recv(mailbox.OfKind(protocols.Failed))
			noticed[from] = true
		}}
		for i, n := range r.nodes {
			ends[i] = make(chan error, 1)
			go func() { ends[i] <- r.serve(ctx, n, program) }()
		}
		if err := r.coordinator.Start(ctx, 0); err != nil {
			return nil, err
		}
		res, err := r.coordinator.Wait(ctx)
		require.ErrorContains(t, <-ends[1], "closed")
		return res, errors.Join(err, <-ends[0])
	}()
	require.NoError(t, err, "%s", &r.log)
	requireUnscheduled(t, res, 2, 3)
	require.Equal(t, []bool{false, false, true, true}, noticed)
	require.Equal(t, report.Finished, res.Ranks[0].Outcome)
	require.Equal(t, report.Finished, res.Ranks[1].Outcome)
}

// A process that hangs is killed and started again. When its old connection says so must not matter:
// here it does so after the new one has joined.
func TestEndOfAFormerLifeDoesNotEndTheNextOne(t *testing.T) {
	t.Parallel()
	job := someJob(2, 2)
	job.Faults = schedule(t, "hang:1@before-send99") // or so it says
	r := prepare(t, job, tcp.Detection{Offered: true}, 1)
	former, err := r.knock(t, r.coordinator.Addr().String(), wire.Identity{Role: wire.Member, Process: 1})
	require.NoError(t, err)
	require.NoError(t, former.WriteFrame(controlFrame(`{"Join":{"Address":"127.0.0.1:1"}}`)))
	life := 0
	begun := make(chan struct{})
	program := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			close(begun)
			p.RecvUntil(mailbox.From(1), farAway)
			return
		}
		life = p.Life()
		former.Close()
		p.WaitUntil(p.Now() + 50)
		p.Send(0, mailbox.Message{})
	}}
	wait := r.start(program)
	<-begun
	require.NoError(t, former.WriteFrame(controlFrame(`{"LastWords":{"Rank":1,"Outcome":"hung","Exit":1,"Fault":0,"Process":true}}`)))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	next, err := r.coordinator.Expect(ctx, 1, 2)
	require.NoError(t, err)
	require.Equal(t, 1, next)
	n, err := tcp.Listen(tcp.Config{Job: job, Process: 1, Life: next, Log: r.log.add})
	require.NoError(t, err)
	defer n.Close()
	ends := make(chan error, 1)
	go func() { ends <- r.serve(ctx, n, program) }()
	res := wait(t)
	require.NoError(t, <-ends)
	require.Equal(t, 1, life)
	require.Equal(t, []report.Failure{{Rank: 1, Outcome: report.Hung, Time: 1}}, r.coordinator.Failures())
	require.Len(t, res.Rejoined, 1)
	require.Equal(t, 1, res.Rejoined[0].Rank)
	require.Equal(t, report.Finished, res.Ranks[1].Outcome, "its report counts")
}

// A process that is killed may leave its connection in any state: here it is reset. That it would fail was to be
// expected, so nobody says anything about it.
func TestTheConnectionOfAProcessThatHasSaidThatItFailsMayBreak(t *testing.T) {
	t.Parallel()
	job := someJob(2, 2)
	job.Faults = schedule(t, "crash:1@before-send99") // or so it says
	r := prepare(t, job, tcp.Detection{Offered: true}, 1)
	victim, err := r.knock(t, r.coordinator.Addr().String(), wire.Identity{Role: wire.Member, Process: 1})
	require.NoError(t, err)
	require.NoError(t, victim.WriteFrame(controlFrame(`{"Join":{"Address":"127.0.0.1:1"}}`)))
	begun := make(chan struct{})
	wait := r.start(protocols.Program{Main: func(p protocols.Proc) {
		close(begun)
		detectorOf(p).Watch(1)
		p.RecvUntil(mailbox.OfKind(protocols.Failed), farAway)
	}})
	<-begun
	require.NoError(t, victim.WriteFrame(controlFrame(`{"LastWords":{"Rank":1,"Outcome":"crashed","Exit":1,"Fault":0,"Process":true}}`)))
	require.Eventually(t, func() bool { return len(r.coordinator.Failures()) == 1 }, patience, time.Millisecond)
	require.NoError(t, victim.Conn.(*net.TCPConn).SetLinger(0))
	require.NoError(t, victim.Close())
	res := wait(t)
	require.Equal(t, []report.Failure{{Rank: 1, Outcome: report.Crashed, Time: 1}}, res.Failed)
	require.Empty(t, res.Unscheduled)
	require.Empty(t, r.log.String())
}
