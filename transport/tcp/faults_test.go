package tcp_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// Faults without signals: the rank's goroutine ends or waits, its process lives on. Machines may be
// busy, so nothing here relies on something not being late by less than far.
const far clock.Time = 170_000 // ticks of a millisecond

func schedule(t *testing.T, text string) faults.Schedule {
	t.Helper()
	s, err := faults.Parse(text)
	require.NoError(t, err)
	return s
}

// run runs a program on a job that ends well.
func run(t *testing.T, job tcp.Job, d tcp.Detection, main func(p protocols.Proc)) *tcp.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	res, err := tcp.RunLocal(ctx, job, d, protocols.Program{Main: main})
	require.NoError(t, err)
	return res
}

// inTime repeats something with longer ticks until it was not too late for what it is to show. Machines may be busy.
func inTime(t *testing.T, attempt func(tick time.Duration) (late bool)) {
	t.Helper()
	for tick := time.Millisecond; attempt(tick); tick *= 2 {
		require.Less(t, tick, 100*time.Millisecond, "it is always too late")
	}
}

// A process that hears of the start late makes up for what should have happened by then, at once.
func TestFaultsOfThePastStrikeAtOnce(t *testing.T) {
	t.Parallel()
	const ranks = 200
	job := someJob(ranks, 1)
	job.Tick = time.Microsecond
	for rank := 1; rank < ranks; rank++ {
		job.Faults = append(job.Faults, faults.Fault{Kind: faults.Crash, Rank: rank, At: faults.OnTime(1)})
	}
	r := prepare(t, job, tcp.Detection{})
	r.delay = -time.Second
	var reached atomic.Int64
	res := r.run(t, protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Recv(mailbox.Any)
			reached.Add(1)
		}
	}})
	require.Len(t, res.Failed, ranks-1)
	for _, f := range res.Failed {
		require.Equal(t, report.Crashed, f.Outcome, "rank %d", f.Rank)
	}
	require.Zero(t, reached.Load())
	require.Equal(t, report.Finished, res.Ranks[0].Outcome)
}

// numbers is a program in which rank 0 sends five numbers to rank 1, and rank 2 does nothing. Those
// that rank 1 has dealt with are in got.
type numbers struct {
	mu  sync.Mutex
	got []int64
}

func (n *numbers) main(p protocols.Proc) {
	switch p.Rank() {
	case 0:
		for i := range int64(5) {
			p.Step("send")
			p.Send(1, mailbox.Message{A: i + 1})
		}
	case 1:
		for {
			_, m := p.Linger(mailbox.From(0))
			n.mu.Lock()
			n.got = append(n.got, m.A)
			n.mu.Unlock()
		}
	}
}

func TestFaultsAtPlacesInTheProgram(t *testing.T) {
	t.Parallel()
	all := []int64{1, 2, 3, 4, 5}
	for text, c := range map[string]struct {
		got     []int64
		rank    int // that fails
		outcome report.Outcome
		sends   int64 // of all ranks
	}{
		"crash:0@before-send1": {nil, 0, report.Crashed, 0},
		"crash:0@before-send3": {all[:2], 0, report.Crashed, 2},
		"crash:0@send1":        {nil, 0, report.Crashed, 0},
		"crash:0@send3":        {all[:2], 0, report.Crashed, 2},
		"crash:0@after-send3":  {all[:3], 0, report.Crashed, 3},
		"crash:0@after-send5":  {all, 0, report.Crashed, 5},
		"crash:0@step:send#4":  {all[:3], 0, report.Crashed, 3},
		"hang:0@before-send2":  {all[:1], 0, report.Hung, 1},
		"hang:0@send2":         {all[:1], 0, report.Hung, 1},
		"hang:0@after-send2":   {all[:2], 0, report.Hung, 2},
		"hang:0@step:send":     {nil, 0, report.Hung, 0},
		"crash:1@recv1":        {nil, 1, report.Crashed, 5},
		"crash:1@recv3":        {all[:2], 1, report.Crashed, 5},
		"hang:1@recv5":         {all[:4], 1, report.Hung, 5},
	} {
		for _, processes := range []int{1, 3} {
			for _, pace := range tcp.Paces() {
				t.Run(text+"/"+pace.String()+"/"+[]string{"", "one process", "", "three processes"}[processes], func(t *testing.T) {
					t.Parallel()
					job := someJob(3, processes)
					job.Pace = pace
					job.Faults = schedule(t, text)
					var n numbers
					res := run(t, job, tcp.Detection{}, n.main)
					require.Equal(t, c.got, n.got)
					require.Len(t, res.Failed, 1)
					f := res.Failed[0]
					require.Equal(t, c.rank, f.Rank)
					require.Equal(t, c.outcome, f.Outcome)
					require.Less(t, f.Time, far)
					require.Empty(t, res.Unfired)
					require.Empty(t, res.Unscheduled)
					require.Equal(t, c.sends, res.Messages)
					requireFinished(t, res, slices.Delete(slices.Clone(res.Ranks), c.rank, c.rank+1))
				})
			}
		}
	}
}

func TestFaultThatIsNeverReachedDoesNotHappen(t *testing.T) {
	t.Parallel()
	job := someJob(3, 3)
	job.Faults = schedule(t, "crash:0@send6,crash:1@recv6,hang:2@step:nowhere")
	var n numbers
	res := run(t, job, tcp.Detection{}, n.main)
	require.Equal(t, []int64{1, 2, 3, 4, 5}, n.got)
	require.Empty(t, res.Failed)
	require.Equal(t, job.Faults, res.Unfired)
}

func TestFaultsAtTimes(t *testing.T) {
	t.Parallel()
	for text, outcome := range map[string]report.Outcome{"crash:0@t500": report.Crashed, "hang:0@t500": report.Hung} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			inTime(t, func(tick time.Duration) (late bool) {
				job := someJob(3, 3)
				job.Tick, job.Faults = tick, schedule(t, text)
				sent, got := false, int64(0)
				res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
					switch p.Rank() {
					case 0:
						p.Send(1, mailbox.Message{A: 1})
						sent = true
						p.WaitUntil(far)
						p.Send(1, mailbox.Message{A: 1})
					case 1:
						for {
							_, m := p.Linger(mailbox.Any)
							got += m.A
						}
					}
				})
				require.Len(t, res.Failed, 1)
				f := res.Failed[0]
				require.Equal(t, outcome, f.Outcome)
				require.GreaterOrEqual(t, f.Time, clock.Time(500))
				require.Less(t, f.Time, far)
				if sent {
					require.Equal(t, int64(1), got, "the message before, and not that after")
				}
				return !sent
			})
		})
	}
}

// A failure has the time at which it happened: not before the clock says so, nor before the rank was at its point.
func TestFailuresAreNotReportedTooEarly(t *testing.T) {
	t.Parallel()
	for text, least := range map[string]clock.Time{
		"crash:0@t0": 0, "crash:0@t1": 1, "hang:0@t1": 1, "crash:0@t20": 20, "crash:0@step:late": 30, "hang:0@step:late": 30, "crash:0@before-send1": 30,
		"crash:0@send1": 30, "hang:0@after-send1": 30,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			job := someJob(2, 2)
			job.Faults = schedule(t, text)
			res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
				if p.Rank() == 0 {
					p.WaitUntil(30)
					p.Step("late")
					p.Send(1, mailbox.Message{})
				}
			})
			require.Len(t, res.Failed, 1)
			require.GreaterOrEqual(t, res.Failed[0].Time, least)
			require.Equal(t, least == 0, res.Failed[0].Time == 0)
			require.Equal(t, res.Failed[0].Time, res.Ranks[0].Exit)
		})
	}
}

// A rank that fails while its program does something else gets no message any more, even if one is there.
func TestFailedRankReceivesNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"crash:1@t60", "hang:1@t60"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			job := someJob(2, 2)
			job.Faults = schedule(t, text)
			r := prepare(t, job, tcp.Detection{})
			var received, polled atomic.Bool
			res := r.run(t, protocols.Program{Main: func(p protocols.Proc) {
				if p.Rank() == 0 {
					p.Send(1, mailbox.Message{A: 1})
					p.Send(1, mailbox.Message{A: 2})
					return
				}
				p.Recv(mailbox.From(0))
				for len(r.coordinator.Failures()) == 0 {
					time.Sleep(time.Millisecond)
				}
				defer func() { // also ranks that have crashed run what they have deferred
					_, _, ok := p.Poll(mailbox.Any)
					polled.Store(ok)
				}()
				p.Recv(mailbox.From(0))
				received.Store(true)
			}})
			require.Len(t, res.Failed, 1)
			require.False(t, received.Load())
			require.False(t, polled.Load())
		})
	}
}

func TestRanksThatFailBeforeTheStartDoNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"crash:0", "hang:0"} {
		job := someJob(3, 3)
		job.Faults = schedule(t, text)
		var n numbers
		res := run(t, job, tcp.Detection{}, n.main)
		require.Empty(t, n.got)
		require.Len(t, res.Failed, 1)
		require.Zero(t, res.Failed[0].Time)
		require.Zero(t, res.Messages)
	}
}

// Each message waits for the answer to the one before, so that none has been received when a rank
// becomes slow, however late it was woken.
func TestSlowRanksTakeTheirTime(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct {
		rank  int
		least clock.Time
	}{
		"slow:0x10":             {0, 5 * 9},
		"slow:0x10@after-send2": {0, 3 * 9},
		"slow:1x10":             {1, 5 * 9},
		"slow:1x10@recv3":       {1, 2 * 9}, // those that come after
	} {
		for _, pace := range tcp.Paces() {
			t.Run(text+"/"+pace.String(), func(t *testing.T) {
				t.Parallel()
				job := someJob(2, 2)
				job.Pace = pace
				job.Faults = schedule(t, text)
				res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
					for range 5 {
						if p.Rank() == 0 {
							p.Send(1, mailbox.Message{})
							p.Recv(mailbox.Any)
						} else {
							p.Recv(mailbox.Any)
							p.Send(0, mailbox.Message{})
						}
					}
				})
				requireFinished(t, res, res.Ranks)
				require.GreaterOrEqual(t, res.Ranks[c.rank].Exit, c.least)
				require.Less(t, res.Ranks[c.rank].Exit, far)
				require.Empty(t, res.Unfired)
			})
		}
	}
}

func TestRejoinedRankKnowsOnlyItsLife(t *testing.T) {
	t.Parallel()
	const back clock.Time = 1200
	for text, outcome := range map[string]report.Outcome{
		"crash:1@t300,rejoin:1@t1200": report.Crashed, "hang:1@t300,rejoin:1@t1200": report.Hung, "crash:1,rejoin:1@t1200": report.Crashed,
	} {
		for _, processes := range []int{1, 2} {
			t.Run(text+[]string{"", "/one process", "/two processes"}[processes], func(t *testing.T) {
				t.Parallel()
				inTime(t, func(tick time.Duration) (late bool) {
					job := someJob(3, processes) // ranks 1 and 2 live in one process
					job.Tick, job.Faults = tick, schedule(t, text)
					var l lives
					r := prepare(t, job, tcp.Detection{})
					res := r.run(t, protocols.Program{Main: l.main})
					if l.arrived >= back {
						return true
					}
					require.Equal(t, []int64{2}, l.got, "what its second life has received")
					failures := r.coordinator.Failures()
					require.Len(t, failures, 1)
					require.Equal(t, outcome, failures[0].Outcome)
					require.Len(t, res.Rejoined, 1)
					require.Equal(t, 1, res.Rejoined[0].Rank)
					require.GreaterOrEqual(t, res.Rejoined[0].Time, back)
					require.Greater(t, res.Rejoined[0].Time, failures[0].Time)
					requireFinished(t, res, res.Ranks)
					return false
				})
			})
		}
	}
}

// lives is a program in which rank 0 sends a number to each of two lives of rank 1.
type lives struct {
	got     []int64    // by the second life
	arrived clock.Time // when the first number was there
}

func (l *lives) main(p protocols.Proc) {
	switch {
	case p.Rank() == 0:
		p.Send(1, mailbox.Message{A: 1})
		p.Send(2, mailbox.Message{})
		p.Recv(mailbox.From(1))
		p.Send(1, mailbox.Message{A: 2})
	case p.Rank() == 2:
		p.Recv(mailbox.From(0)) // what was sent to its neighbour before is there, too
		l.arrived = p.Now()
	case p.Life() == 0:
		p.WaitUntil(clock.Never) // until it fails
	default:
		p.Send(0, mailbox.Message{})
		_, m := p.Recv(mailbox.From(0))
		l.got = append(l.got, m.A)
	}
}

// A process that hears of the start when ranks should have failed and come back makes up for all of it, in
// the order of the schedule.
func TestLateFailuresAndRejoinsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	const ranks = 100
	for text, lives := range map[string]int{
		"crash:%d@t10,rejoin:%d@t20": 1, "hang:%d@t10,rejoin:%d@t20": 1, "crash:%d,rejoin:%d@t1": 1,
		"crash:%d@t10,rejoin:%d@t20,hang:%d@t30,rejoin:%d@t40":                             2,
		"rejoin:%d@t40,crash:%d@t30,rejoin:%d@t20,crash:%d@t10,crash:%d@t50,rejoin:%d@t60": 3,
		"crash:%d@t20,rejoin:%d@t20,rejoin:%d@t10":                                         0,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			job := someJob(ranks, 1)
			for rank := range ranks {
				job.Faults = append(job.Faults, schedule(t, strings.ReplaceAll(text, "%d", strconv.Itoa(rank)))...)
			}
			r := prepare(t, job, tcp.Detection{})
			r.delay = -time.Second
			last := make([]int, ranks) // the last life of each
			res := r.run(t, protocols.Program{Main: func(p protocols.Proc) {
				if p.Life() < lives {
					p.WaitUntil(clock.Never)
				}
				last[p.Rank()] = p.Life()
			}})
			require.Len(t, res.Rejoined, ranks*lives)
			require.Len(t, r.coordinator.Failures(), ranks*max(lives, 1))
			if lives > 0 {
				requireFinished(t, res, res.Ranks)
				require.Equal(t, slices.Repeat([]int{lives}, ranks), last)
			}
			failures := make([][]clock.Time, ranks)
			for _, f := range r.coordinator.Failures() {
				failures[f.Rank] = append(failures[f.Rank], f.Time)
			}
			for _, back := range res.Rejoined {
				failed := failures[back.Rank]
				require.Less(t, failed[0], back.Time, "rank %d comes back after it has failed", back.Rank)
				if failed = failed[1:]; len(failed) > 0 {
					require.LessOrEqual(t, back.Time, failed[0], "rank %d fails again after it has come back", back.Rank)
				}
				failures[back.Rank] = failed
			}
		})
	}
}

// Two lives of a rank have the same memory. The second one begins when the program of the first does nothing any more, however long that takes to see that it has failed.
func TestOneLifeOfARankAtATime(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"crash", "hang"} {
		job := someJob(2, 1)
		job.Faults = schedule(t, kind+":1@t5,rejoin:1@t9,crash:1@t12,rejoin:1@t15")
		var doing, most atomic.Int32
		lives := 0 // without a lock: the race detector sees two at a time
		res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
			if p.Rank() == 0 {
				return
			}
			defer doing.Add(-1)
			most.Store(max(most.Load(), doing.Add(1)))
			lives++
			if lives == 1 {
				time.Sleep(50 * time.Millisecond) // it does not look at its Proc
				lives += 10
			}
			if lives < 13 {
				defer doing.Add(1) // one that hangs comes to its end with the run
				doing.Add(-1)
				p.WaitUntil(clock.Never)
			}
		})
		require.Equal(t, int32(1), most.Load(), kind)
		require.Len(t, res.Rejoined, 2, kind)
		require.Equal(t, 13, lives, kind)
	}
}

func TestRankThatHasNotFailedDoesNotRejoin(t *testing.T) {
	t.Parallel()
	job := someJob(2, 2)
	job.Faults = schedule(t, "rejoin:1@t50")
	lives := make([]int, 2)
	res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
		lives[p.Rank()]++
		p.WaitUntil(100)
	})
	require.Equal(t, []int{1, 1}, lives)
	require.Empty(t, res.Rejoined)
	require.Equal(t, job.Faults, res.Unfired)
}

func TestNothingGetsOverACut(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{1, 3} {
		t.Run([]string{"", "one process", "", "three processes"}[processes], func(t *testing.T) {
			t.Parallel()
			inTime(t, func(tick time.Duration) (late bool) {
				job := someJob(3, processes)
				job.Tick, job.Faults = tick, schedule(t, "cut:0|1@t1000")
				got := make([]int, 3) // by receiver, in bits: 1 << sender for the first message, 8 << sender for the second
				sent := make([]clock.Time, 3)
				res := run(t, job, tcp.Detection{}, func(p protocols.Proc) {
					for i := range 2 {
						p.WaitUntil(clock.Time(1000 * i))
						for to := range 3 {
							if to != p.Rank() {
								p.Send(to, mailbox.Message{A: int64(i)})
							}
						}
						if i == 0 {
							sent[p.Rank()] = p.Now()
						}
					}
					for {
						from, m := p.Linger(mailbox.Any)
						got[p.Rank()] |= 1 << (from + 3*int(m.A))
					}
				})
				if slices.Max(sent) >= 1000 {
					return true
				}
				requireFinished(t, res, res.Ranks)
				require.Equal(t, []int{0b100_110, 0b100_101, 0b011_011}, got)
				require.Equal(t, int64(3*4), res.Messages, "senders do not learn of it")
				return false
			})
		})
	}
}
