package tcp_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// runRecorded runs a program and has its events recorded.
func runRecorded(t *testing.T, job tcp.Job, d tcp.Detection, main func(protocols.Proc)) *tcp.Result {
	t.Helper()
	r := prepare(t, job, d)
	r.coordinator.Record()
	res := r.run(t, protocols.Program{Main: main})
	requireSound(t, res)
	return res
}

// requireSound makes sure that the events of a run are in order, and go with its report.
func requireSound(t *testing.T, res *tcp.Result) {
	t.Helper()
	require.True(t, slices.IsSortedFunc(res.Events, func(a, b report.Event) int { return int(a.Time - b.Time) }))
	v := guarantee.Integrity{}.Check(guarantee.Run{Report: res.Report})
	require.NotEqual(t, guarantee.Broken, v.Value, v.Evidence)
	require.EqualValues(t, res.Messages, len(of(res, report.EventSend)))
	for rank, end := range res.Ranks {
		first := slices.IndexFunc(res.Events, func(e report.Event) bool { return e.Rank == rank && e.Kind == report.EventReceive })
		if first >= 0 {
			require.Equal(t, end.Coloured, res.Events[first].Time, "rank %d", rank)
		}
	}
}

// of are the events of a kind.
func of(res *tcp.Result, kind report.EventKind) (all []report.Event) {
	for _, e := range res.Events {
		if e.Kind == kind {
			all = append(all, e)
		}
	}
	return all
}

// ranksOf are where events of a kind happened, in order.
func ranksOf(res *tcp.Result, kind report.EventKind) (ranks []int) {
	for _, e := range of(res, kind) {
		ranks = append(ranks, e.Rank)
	}
	return ranks
}

// pass is a token that goes from each rank to the next, once.
func pass(p protocols.Proc) {
	if p.Rank() > 0 {
		p.Recv(mailbox.From(p.Rank() - 1))
	}
	p.Step("there")
	if p.Rank()+1 < p.Size() {
		p.Send(p.Rank()+1, mailbox.Message{Kind: token, Epoch: 4, A: int64(p.Rank())})
	}
}

func TestEventsOfARunAreThoseOfTheEmulator(t *testing.T) {
	t.Parallel()
	for _, pace := range tcp.Paces() {
		job := someJob(4, 2)
		job.Pace = pace
		res := runRecorded(t, job, tcp.Detection{}, pass)
		var words []string
		for _, e := range res.Events {
			if e.Kind != report.EventExit { // which may be before or after what the next one does
				e.Time = 0
				words = append(words, e.String())
			}
		}
		require.Equal(t, []string{
			"t=0 rank 0 step there", "t=0 rank 0 send to 1 kind=1 epoch=4 a=0",
			"t=0 rank 1 receive from 0 kind=1 epoch=4 a=0", "t=0 rank 1 take from 0 kind=1 epoch=4 a=0", "t=0 rank 1 step there", "t=0 rank 1 send to 2 kind=1 epoch=4 a=1",
			"t=0 rank 2 receive from 1 kind=1 epoch=4 a=1", "t=0 rank 2 take from 1 kind=1 epoch=4 a=1", "t=0 rank 2 step there", "t=0 rank 2 send to 3 kind=1 epoch=4 a=2",
			"t=0 rank 3 receive from 2 kind=1 epoch=4 a=2", "t=0 rank 3 take from 2 kind=1 epoch=4 a=2", "t=0 rank 3 step there",
		}, words, "pace %s", pace)
		require.ElementsMatch(t, []int{0, 1, 2, 3}, ranksOf(res, report.EventExit))
		require.Empty(t, res.Unrecorded)
	}
}

func TestNothingIsRecordedUnlessAsked(t *testing.T) {
	t.Parallel()
	r := prepare(t, someJob(4, 2), tcp.Detection{})
	res := r.run(t, protocols.Program{Main: pass})
	require.Nil(t, res.Events)
	require.Nil(t, res.Unrecorded)
}

// A rank that crashes in the middle of a send leaves a send that was lost, and what is sent to it is lost as well.
func TestFailuresAreEvents(t *testing.T) {
	t.Parallel()
	job := someJob(4, 2)
	job.Pace = tcp.Sends
	job.Faults = schedule(t, "crash:1@send1,hang:2@step:there,slow:0x3@step:there")
	res := runRecorded(t, job, tcp.Detection{Offered: true}, func(p protocols.Proc) {
		p.Step("there")
		if p.Rank() == 3 { // it sends when the other one has crashed
			p.Detector().Watch(1)
			p.Recv(mailbox.OfKind(protocols.Failed))
		}
		p.Send(1, mailbox.Message{Kind: token, A: int64(p.Rank())})
	})
	require.Equal(t, []int{1}, ranksOf(res, report.EventCrash))
	require.Equal(t, []int{2}, ranksOf(res, report.EventHang))
	require.Equal(t, []int{1}, ranksOf(res, report.EventSendLost))
	require.Equal(t, []int{3}, ranksOf(res, report.EventNotice))
	require.Equal(t, 1, of(res, report.EventNotice)[0].Peer)
	require.Contains(t, ranksOf(res, report.EventTake), 3)
	slow := of(res, report.EventSlow)
	require.Len(t, slow, 1)
	require.Equal(t, [2]int64{0, 3}, [2]int64{int64(slow[0].Rank), slow[0].A})
	lost := of(res, report.EventLost)
	require.NotEmpty(t, lost)
	last := lost[len(lost)-1]
	require.Equal(t, [2]int{1, 3}, [2]int{last.Rank, last.Peer})
	crashed := of(res, report.EventCrash)[0]
	require.GreaterOrEqual(t, last.Time, crashed.Time)
	require.Equal(t, res.Ranks[1].Exit, crashed.Time)
}

// What the schedule does to messages is there, too, and so is what becomes of them.
func TestFatesOfMessagesAreEvents(t *testing.T) {
	t.Parallel()
	job := someJob(2, 2)
	job.Faults = schedule(t, "lose:0@send1,late:0@send2+20,twice:0@send3+5")
	res := runRecorded(t, job, tcp.Detection{}, func(p protocols.Proc) {
		if p.Rank() > 0 {
			for range 3 {
				p.Recv(mailbox.Any)
			}
			return
		}
		for i := range 3 {
			p.Send(1, mailbox.Message{Kind: token, A: int64(i)})
		}
	})
	for kind, want := range map[report.EventKind]int{
		report.EventSend: 3, report.EventDrop: 1, report.EventLate: 1, report.EventTwice: 1, report.EventReceive: 3, report.EventTake: 3,
	} {
		require.Len(t, of(res, kind), want, kind.String())
	}
	require.EqualValues(t, 20, of(res, report.EventLate)[0].A)
	require.EqualValues(t, 5, of(res, report.EventTwice)[0].A)

	job.Faults = schedule(t, "cut:0-0|1-1@t1")
	res = runRecorded(t, job, tcp.Detection{}, func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.WaitUntil(2)
			p.Send(1, mailbox.Message{Kind: token})
		}
	})
	require.Equal(t, []int{0}, ranksOf(res, report.EventCut))
	require.Empty(t, of(res, report.EventReceive))
}

// A rank that comes back goes on where its events have ended.
func TestRejoinsAreEvents(t *testing.T) {
	t.Parallel()
	job := someJob(4, 2)
	job.Faults = schedule(t, "crash:3@t20,rejoin:3@t60")
	res := runRecorded(t, job, tcp.Detection{}, func(p protocols.Proc) {
		if p.Life() > 0 {
			p.Step("back")
		}
	})
	for _, kind := range []report.EventKind{report.EventCrash, report.EventRejoin, report.EventStep} {
		require.Equal(t, []int{3}, ranksOf(res, kind), kind.String())
	}
	require.Greater(t, of(res, report.EventStep)[0].Time, of(res, report.EventCrash)[0].Time)
}

// There may be more events than fit into a frame.
func TestManyEventsTakeSeveralFrames(t *testing.T) {
	t.Parallel()
	const steps = 30_000
	res := runRecorded(t, someJob(2, 1), tcp.Detection{}, func(p protocols.Proc) {
		for range steps {
			p.Step("again")
		}
	})
	require.Len(t, of(res, report.EventStep), 2*steps)
}

// On hosts with clocks of their own, a message is received after it was sent.
func TestEventsOfSeveralHostsAreInOrder(t *testing.T) {
	t.Parallel()
	job := someJob(6, 6)
	job.Tick = time.Microsecond
	r := prepare(t, job, tcp.Detection{})
	r.by = slowPipe(t, r.coordinator.Addr().String(), 3*time.Millisecond, 0)
	for process, n := range r.nodes {
		n.Pretend(goesAt(time.Duration(process)*time.Hour, float64(process*30-75)))
	}
	r.coordinator.Record()
	res := r.run(t, protocols.Program{Main: pass})
	requireSound(t, res)
	require.GreaterOrEqual(t, res.ClockError, 3*time.Millisecond, "much more than messages take")
	require.Equal(t, []int{0, 1, 2, 3, 4}, ranksOf(res, report.EventSend))
}
