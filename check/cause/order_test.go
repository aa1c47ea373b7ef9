package cause_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Of two messages the wrong one comes first because it is early, and the other one is taken after it: that one is not to blame.
func TestAMessageThatIsTooEarlyIsToBlame(t *testing.T) {
	first := 0
	x := tried{
		ranks: 4,
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			switch p.Rank() {
			case 0: // is told to wait, or does not
				if _, _, ok := p.RecvUntil(mailbox.From(3), 4); ok {
					p.WaitUntil(30)
				}
				p.Send(2, mailbox.Message{Kind: result})
			case 1:
				p.WaitUntil(15)
				p.Send(2, mailbox.Message{Kind: vote})
			case 2:
				first, _ = p.Recv(mailbox.Any)
				p.Recv(mailbox.Any)
			case 3:
				p.Send(0, mailbox.Message{Kind: token})
			}
		}},
		check: func(*report.Report) guarantee.Verdict {
			return guarantee.Verdict{Name: "rank 1 is first", Value: guarantee.ValueOf(first == 1), Evidence: "rank 2 took another one"}
		},
	}
	require.Equal(t, strings.Split(`because, compared with the run without lose:3@send1:
    rank 2 got message result from rank 0 at t=8, before message vote from rank 1, which would have come at t=19
    rank 0 sent that at t=4, not at t=30: it went on at t=4 without message token from rank 3, which would have come at t=4
    rank 3 sent it at t=0 as its send 1, and it was lost (lose:3@send1)
without lose:3@send1: holds`, "\n"), x.explain(t, "lose:3@send1").Lines())
}

// Who goes on too early as something has come too early is asked why, and it is not said that it never took what it took later.
func TestWhoGoesOnTooEarlyIsAskedWhy(t *testing.T) {
	inTime := false
	x := tried{
		ranks: 4,
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			switch p.Rank() {
			case 0: // is told to wait, or does not
				if _, _, ok := p.RecvUntil(mailbox.From(3), 4); ok {
					p.WaitUntil(30)
				}
				p.Send(2, mailbox.Message{Kind: result})
			case 1:
				p.WaitUntil(15)
				p.Send(2, mailbox.Message{Kind: vote})
			case 2:
				p.Recv(mailbox.From(0))
				if _, _, inTime = p.RecvUntil(mailbox.From(1), p.Now()+5); !inTime {
					p.Recv(mailbox.From(1))
				}
			case 3:
				p.Send(0, mailbox.Message{Kind: token})
			}
		}},
		check: func(*report.Report) guarantee.Verdict {
			return guarantee.Verdict{Name: "rank 1 votes in time", Value: guarantee.ValueOf(inTime), Evidence: "rank 2 did not get it"}
		},
	}
	const because = `because, compared with the run without lose:3@send1:
    rank 2 went on at t=13 without message vote from rank 1, which would have come at t=19
    it came at t=19, and rank 2 took it at t=19
    rank 2 got message result from rank 0 at t=8, not at t=34
    rank 0 sent that at t=4, not at t=30: it went on at t=4 without message token from rank 3, which would have come at t=4
    rank 3 sent it at t=0 as its send 1, and it was lost (lose:3@send1)
without lose:3@send1: holds`
	require.Equal(t, strings.Split(because, "\n"), x.explain(t, "lose:3@send1").Lines())
}

// A promise about failures is not claimed without one, which is not the same as that it holds.
func TestWhatIsNotClaimedIsNotSaidToHold(t *testing.T) {
	x := relay(3)
	x.program.Main = func(p protocols.Proc) {}
	x.promises = []guarantee.Guarantee{guarantee.Func("work is done", false, func(guarantee.Run) (bool, string) { return true, "all of it" })}
	x.check = func(rep *report.Report) guarantee.Verdict {
		v := guarantee.Verdict{Name: "failures are noticed", Value: guarantee.NotClaimed, Evidence: "nobody failed"}
		if !rep.NobodyFailed() {
			v.Value, v.Evidence = guarantee.Broken, "rank 1 failed, and nobody noticed"
		}
		return v
	}
	require.Contains(t, x.explain(t, "crash:1@t0").Lines(), "without crash:1@t0: not broken, nor claimed: nobody failed")
}

// Of a rank that fails twice it is said which time it was, by which fault, and which of several returns came after it.
func TestTheFailureOfTheRightLifeIsTold(t *testing.T) {
	x := relay(2)
	x.promises = nil
	x.program.Main = func(p protocols.Proc) {
		if p.Rank() == 0 {
			for range 5 {
				p.WaitUntil(p.Now() + 10)
				p.Send(1, mailbox.Message{Kind: vote})
			}
			return
		}
		for range 3 {
			p.RecvUntil(mailbox.Any, p.Now()+20)
		}
		p.Step("done")
	}
	x.check = func(rep *report.Report) guarantee.Verdict {
		return guarantee.Verdict{Name: "done soon", Value: guarantee.ValueOf(rep.Ranks[1].Exit < 45), Evidence: "rank 1 was too late"}
	}
	all := strings.Join(x.explain(t, "crash:1@t1,rejoin:1@t2,crash:1@t30,rejoin:1@t31").Lines(), "\n")
	require.Contains(t, all, "compared with the run without crash:1@t30")
	require.Contains(t, all, "rank 1 crashed at t=30 (crash:1@t30)\n    rank 1 began again at t=31 (rejoin:1@t31)")
}

// What a rank had taken in a former life did not lead to anything in this one.
func TestAPathDoesNotGoThroughAFailure(t *testing.T) {
	x := relay(2)
	x.program.Main = func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.RecvUntil(mailbox.Any, 20)
			p.WaitUntil(40)
			return
		}
		p.Send(1, mailbox.Message{Kind: token})
	}
	p, err := x.player(t)(t.Context(), faults.MustParse("crash:1@t10,rejoin:1@t12"), true)
	require.NoError(t, err)
	require.Len(t, cause.Path(p.Report, 1, 9), 1)
	require.Empty(t, cause.Path(p.Report, 1, 30))
}

// What was kept of what no sync had made safe was not lost.
func TestWhatWasKeptIsNotSaidToBeLost(t *testing.T) {
	there := false
	x := tried{ranks: 1, program: protocols.Program{Main: func(p protocols.Proc) {
		if p.Life() == 0 {
			p.Storage().Write("kept", "1")
			p.Storage().Write("lost", "2")
			p.WaitUntil(20)
		}
		_, there = p.Storage().Read("lost")
		p.Storage().Read("kept")
	}}}
	x.check = func(*report.Report) guarantee.Verdict {
		return guarantee.Verdict{Name: "remembers", Value: guarantee.ValueOf(there), Evidence: "rank 0 has forgotten"}
	}
	all := strings.Join(x.explain(t, "crash:0@t10:kept1,rejoin:0@t15").Lines(), "\n")
	require.Contains(t, all, "of what no sync had made safe, rank 0 lost the change of lost at t=1, and kept the change of kept at t=0\n")
}
