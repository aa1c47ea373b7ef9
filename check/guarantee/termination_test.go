package guarantee_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// exits is a run in which ranks return at these times, or fail if their time is never.
func exits(times ...clock.Time) guarantee.Run {
	rep := reported(len(times))
	for rank, at := range times {
		rep.Ranks[rank].Exit = at
		if at == clock.Never {
			rep.Ranks[rank].Outcome = report.Hung
			rep.Failed = append(rep.Failed, report.Failure{Rank: rank, Outcome: report.Hung})
			continue
		}
		rep.Exit = max(rep.Exit, at)
	}
	return guarantee.Run{Report: rep}
}

// stuck is a run in which so many ranks wait for ever.
func stuck(ranks int) guarantee.Run {
	rep := reported(ranks)
	for rank := range ranks {
		rep.Deadlocks = append(rep.Deadlocks, report.Deadlock{Rank: rank, Call: "Recv", Want: "any", Since: 3, Cause: "nobody sends"})
	}
	return guarantee.Run{Report: rep}
}

func TestTerminationNamesWhoDoesNotReturn(t *testing.T) {
	for name, c := range map[string]struct {
		run      guarantee.Run
		by       clock.Time
		value    guarantee.Value
		evidence string
	}{
		"all":          {exits(5, 9, 7), 0, held, "all 3 live ranks returned, the last at t=9"},
		"all live":     {exits(5, 9, clock.Never), 0, held, "all 2 live ranks returned, the last at t=9"},
		"just in time": {exits(5, 9, clock.Never), 9, held, "all 2 live ranks returned, the last at t=9"},
		"one late":     {exits(5, 9, 8), 8, broken, "rank 1 returned after t=8, the last at t=9"},
		"some late":    {exits(5, 9, 7, 1, clock.Never), 4, broken, "ranks 0, 1 and 2 returned after t=4, the last at t=9"},
		"one stuck":    {stuck(1), 0, broken, "did not return: rank 0 in Recv(any) since t=3: nobody sends"},
		"two stuck":    {stuck(2), 100, broken, "did not return: rank 0 in Recv(any) since t=3: nobody sends; rank 1 in Recv(any) since t=3: nobody sends"},
	} {
		t.Run(name, func(t *testing.T) { requireVerdict(t, c.run, guarantee.Termination{By: c.by}, c.value, c.evidence) })
	}
	require.Contains(t, guarantee.Termination{}.Check(stuck(11)).Evidence, "rank 7 in Recv(any) since t=3: nobody sends; and 3 more")
	require.Contains(t, guarantee.Termination{}.Check(stuck(9)).Evidence, "rank 7 in Recv(any) since t=3: nobody sends; and 1 more")
	require.Equal(t, "termination", guarantee.Termination{}.Name())
	require.Equal(t, "termination by t=70", guarantee.Termination{By: 70}.Name())
	require.False(t, guarantee.Termination{}.NeedsEvents())
}

func TestNoDeadlockNamesWhoWaits(t *testing.T) {
	requireVerdict(t, exits(5, 9), guarantee.NoDeadlock{}, held, "no rank waits for ever")
	requireVerdict(t, stuck(1), guarantee.NoDeadlock{}, broken, "rank 0 waiting for ever")
	requireVerdict(t, stuck(2), guarantee.NoDeadlock{}, broken, "ranks 0 and 1 waiting for ever")
	require.Equal(t, "no deadlock", guarantee.NoDeadlock{}.Name())
	require.False(t, guarantee.NoDeadlock{}.NeedsEvents())
}

// sleeper sends a message along a chain; one rank then waits until some time.
func sleeper(rank int, until clock.Time) protocols.Program {
	return fromRoot(func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Recv(mailbox.From(p.Rank() - 1))
		}
		if next := p.Rank() + 1; next < p.Size() {
			p.Send(next, mailbox.Message{})
		}
		if p.Rank() == rank {
			p.WaitUntil(until)
		}
	})
}

func TestTerminationCatchesARankThatNeverReturns(t *testing.T) {
	requireVerdict(t, run(t, 3, sleeper(1, clock.Never), "none"), guarantee.Termination{}, broken,
		"did not return: rank 1 in WaitUntil(never) since t=5: no rank has failed and no message is under way")
}

func TestTerminationCatchesALateRank(t *testing.T) {
	late := run(t, 3, sleeper(1, 100), "none")
	requireVerdict(t, late, guarantee.Termination{}, held, "all 3 live ranks returned, the last at t=100")
	requireVerdict(t, late, guarantee.Termination{By: 99}, broken, "rank 1 returned after t=99, the last at t=100")
}

func TestTerminationAndNoDeadlockCatchAChainWithACrash(t *testing.T) {
	cut := run(t, 5, sleeper(0, 0), "crash:2@recv1")
	requireVerdict(t, cut, guarantee.NoDeadlock{}, broken, "ranks 3 and 4 waiting for ever")
	requireVerdict(t, cut, guarantee.Termination{}, broken,
		"did not return: rank 3 in Recv(any from 2) since t=0: rank 2 crashed at t=8; rank 4 in Recv(any from 3) since t=0: rank 2 crashed at t=8")
}

// Everybody waits for the next rank to begin.
func TestNoDeadlockCatchesACircle(t *testing.T) {
	circle := protocols.Program{Main: func(p protocols.Proc) {
		p.Recv(mailbox.From((p.Rank() + 1) % p.Size()))
		p.Send((p.Rank()+p.Size()-1)%p.Size(), mailbox.Message{})
	}}
	requireVerdict(t, run(t, 3, circle, "none"), guarantee.NoDeadlock{}, broken, "ranks 0, 1 and 2 waiting for ever")
}
