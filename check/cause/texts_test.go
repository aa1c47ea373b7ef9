package cause_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Each kind of fault has its own end of the story.
func TestStoriesEndWithTheFault(t *testing.T) {
	for _, c := range []struct {
		about    tried
		schedule string
		want     string
	}{
		{relay(5), "crash:1@send1", `
because, compared with the run without crash:1@send1:
    rank 2 waits for ever in Recv(any from 1) since t=0; so do 2 more
    it did not get message token from rank 1, which would have come at t=8
    rank 1 did not send it: it crashed at t=4 in its send 1, of message token to rank 2 (crash:1@send1)
without crash:1@send1: holds`},
		{relay(5), "crash:1@t2", `
because, compared with the run without crash:1@t2:
    rank 2 waits for ever in Recv(any from 1) since t=0; so do 2 more
    it did not get message token from rank 1, which would have come at t=8
    rank 1 did not send message token to rank 2: it crashed at t=2 (crash:1@t2)
without crash:1@t2: holds`},
		{relay(3), "hang:1@recv1", `
because, compared with the run without hang:1@recv1:
    rank 2 waits for ever in Recv(any from 1) since t=0
    it did not get message token from rank 1, which would have come at t=8
    rank 1 did not send message token to rank 2: it hung at t=4 (hang:1@recv1)
without hang:1@recv1: holds`},
		{relay(5), "lose:0@send1", `
because, compared with the run without lose:0@send1:
    rank 1 waits for ever in Recv(any from 0) since t=0; so do 3 more
    it did not get message token from rank 0, which would have come at t=4
    rank 0 sent it at t=0 as its send 1, and it was lost (lose:0@send1)
without lose:0@send1: holds`},
		{relay(5), "cut:0-1|*@t3,mend:0-1|2-4@t9", `
because, compared with the run without cut:0-1|*@t3:
    rank 2 waits for ever in Recv(any from 1) since t=0; so do 2 more
    it did not get message token from rank 1, which would have come at t=8
    rank 1 sent it at t=4, and it was lost on the link, which was cut (cut:0-1|*@t3)
without cut:0-1|*@t3: holds
without mend:0-1|2-4@t9: the same, as that never happens`},
		{relay(5), "crash:2@t1,rejoin:2@t20", `
because, compared with the run without crash:2@t1:
    rank 2 waits for ever in Recv(any from 1) since t=20; so do 2 more
    it did not get message token from rank 1, which would have come at t=8
    rank 1 sent it at t=4, and it came at t=7, when rank 2 had failed
    rank 2 crashed at t=1 (crash:2@t1)
    rank 2 began again at t=20 (rejoin:2@t20)
without crash:2@t1: holds
without rejoin:2@t20: still broken: ranks 3 and 4 waiting for ever`},
		{poll(4), "late:1@send1+20", `
because, compared with the run without late:1@send1+20:
    rank 3 got message result from rank 0 at t=18 with a=2 in it, and would have got it with a=3
    rank 0 sent that at t=14: it got message vote from rank 2 at t=4, before message vote from rank 1, which would have come at t=4
    message vote from rank 1 came at t=24, not at t=4: it was late (late:1@send1+20)
without late:1@send1+20: holds
with late:1@send1+10 instead: still broken, in the same way`},
		{poll(4), "late:0@send1+50", `
because, compared with the run without late:0@send1+50:
    rank 1 went on at t=40 without message result from rank 0, which would have come at t=16
    message result from rank 0 came at t=66, not at t=16: it was late (late:0@send1+50)
without late:0@send1+50: holds
with late:0@send1+25 instead: still broken, in the same way`},
		{poll(4), "slow:0x5@t0", `
because, compared with the run without slow:0x5@t0:
    rank 3 got message result from rank 0 at t=30 with a=1 in it, and would have got it with a=3
    rank 0 sent that at t=22: it went on at t=12 without message vote from rank 2, which would have come at t=5
    message vote from rank 2 came at t=13, not at t=5: rank 0 was slow (slow:0x5@t0)
without slow:0x5@t0: holds
with slow:0x2@t0 instead: holds`},
		{poll(4), "twice:1@send1+3", `
because, compared with the run without twice:1@send1+3:
    rank 3 got message result from rank 0 at t=18 with a=4 in it, and would have got it with a=3
    rank 0 sent that at t=14: it got message vote from rank 1 at t=7; it would have gone on without a message at t=12
    rank 1 sent it once, at t=0, and it came again at t=7 (twice:1@send1+3)
without twice:1@send1+3: holds
with twice:1@send1+1 instead: still broken, in the same way`},
		{poll(4), "lose:0>2@t3..t90", `
because, compared with the run without lose:0>2@t3..t90:
    rank 2 went on at t=40 without message result from rank 0, which would have come at t=17
    rank 0 sent it at t=13 as its send 2, and it was lost (lose:0>2@t3..t90)
without lose:0>2@t3..t90: holds`},
		{keeper(true), "crash:0@t14,rejoin:0@t15", `
because, compared with the run without crash:0@t14:
    rank 1 went on at t=30 without message result from rank 0, which would have come at t=18
    message result from rank 0 came at t=39, not at t=18: it was sent at t=35, not at t=14
    rank 0 crashed at t=14 (crash:0@t14)
    rank 0 lost what no sync had made safe: the change of last at t=4 and the change of last at t=13
    rank 0 began again at t=15 (rejoin:0@t15) and read last at t=34, without that
without crash:0@t14: holds
with crash:0@t14:kept* instead: holds
without rejoin:0@t15: holds`},
	} {
		require.Equal(t, strings.TrimPrefix(c.want, "\n"), lines(c.about.explain(t, c.schedule).Lines()), c.schedule)
	}
}

func lines(all []string) string { return strings.Join(all, "\n") }

// Of several faults each is left out, and tried alone.
func TestEveryFaultIsLeftOut(t *testing.T) {
	require.Equal(t, strings.Split(`because, compared with the run without crash:1@send1,crash:3@t0,slow:0x2@t0:
    rank 2 waits for ever in Recv(any from 1) since t=0; so does 1 more
    it did not get message token from rank 1, which would have come at t=8
    rank 1 did not send it: it crashed at t=5 in its send 1, of message token to rank 2 (crash:1@send1)
without crash:1@send1: still broken: rank 4 waiting for ever
without crash:3@t0: still broken: ranks 2, 3 and 4 waiting for ever
without slow:0x2@t0: still broken, in the same way
without any of them: holds
with crash:1@send1 only: still broken: ranks 2, 3 and 4 waiting for ever
with crash:3@t0 only: still broken: rank 4 waiting for ever
and 2 more such runs`, "\n"), relay(5).explain(t, "crash:1@send1,crash:3@t0,slow:0x2@t0,crash:4@send7").Lines())
}

// Each of these faults alone is harmless, and it is said what would have come without each.
func TestFaultsThatMatterTogether(t *testing.T) {
	both := tried{
		ranks: 4, promises: []guarantee.Guarantee{guarantee.NoDeadlock{}},
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			if p.Rank() == 0 {
				p.Recv(mailbox.Any)
				return
			}
			p.Send(0, mailbox.Message{Kind: vote})
		}},
	}
	require.Equal(t, strings.Split(`because, compared with the run without crash:1@t0:
    rank 0 waits for ever in Recv(any) since t=0
    it did not get message vote from rank 1, which would have come at t=4
    rank 1 did not send message vote to rank 0: it crashed at t=0 (crash:1@t0)
without crash:1@t0: holds
without lose:2@send1: holds, for rank 0 gets message vote from rank 2 at t=4
without hang:3@send1: holds, for rank 0 gets message vote from rank 3 at t=4
with one of them only: holds`, "\n"), both.explain(t, "crash:1@t0,lose:2@send1,hang:3@send1").Lines())
}

// Messages are the same to those who see no payloads, and come no later: what differs is what a rank has forgotten. Nothing else that is promised, and
// not claimed without the rejoin, keeps the broken promise from being held there.
func TestWhatARankHasForgottenIsTold(t *testing.T) {
	silent := keeper(false)
	check := silent.check
	silent.check = func(rep *report.Report) guarantee.Verdict {
		v := check(rep)
		v.Safety = true
		return v
	}
	silent.promises = []guarantee.Guarantee{guarantee.When(guarantee.NobodyFails, guarantee.Termination{})}
	require.Equal(t, strings.Split(`because, compared with the run without crash:0@t7:
    rank 1 had got message result from rank 0 at t=27
    rank 0 sent that at t=23: it crashed at t=7 (crash:0@t7)
    rank 0 lost what no sync had made safe: the change of last at t=4
    rank 0 began again at t=8 (rejoin:0@t8) and read last at t=13, without that
without crash:0@t7: holds
with crash:0@t7:kept* instead: holds
without rejoin:0@t8: holds`, "\n"), silent.explain(t, "crash:0@t7,rejoin:0@t8").Lines())
}

// What a promise is worth in another run is said of that promise, and not of others.
func TestAPromiseThatIsNotClaimedWithoutAFault(t *testing.T) {
	others := keeper(true)
	check := others.check
	others.check = func(rep *report.Report) guarantee.Verdict {
		if v := check(rep); len(rep.Faults) == 2 || v.Value != guarantee.Held {
			return v
		}
		return guarantee.Verdict{Name: "numbers ascend", Evidence: "nobody came back", Value: guarantee.NotClaimed}
	}
	others.promises = []guarantee.Guarantee{guarantee.Termination{}}
	require.Contains(t, others.explain(t, "crash:0@t14,rejoin:0@t15").Lines(), "without rejoin:0@t15: not broken, nor claimed: nobody came back")
}

// A long chain is cut in its middle.
func TestLongStoriesAreCut(t *testing.T) {
	long := relay(20)
	long.promises = nil
	long.check = func(rep *report.Report) guarantee.Verdict {
		return guarantee.Verdict{Name: "the last rank returns", Value: guarantee.ValueOf(rep.Ranks[19].Outcome == report.Finished), Evidence: "rank 19 did not return"}
	}
	found := long.explain(t, "crash:1@before-send1")
	require.Len(t, found.Because, 20)
	require.Equal(t, strings.Split(`because, compared with the run without crash:1@before-send1:
    rank 19 waits for ever in Recv(any from 18) since t=0; so do 17 more
    it did not get message token from rank 18, which would have come at t=76
    rank 18 did not send message token to rank 19: it did not get message token from rank 17, which would have come at t=72
    rank 17 did not send message token to rank 18: it did not get message token from rank 16, which would have come at t=68
    ... and so on, 13 times, to rank 4
    rank 3 did not send message token to rank 4: it did not get message token from rank 2, which would have come at t=12
    rank 2 did not send message token to rank 3: it did not get message token from rank 1, which would have come at t=8
    rank 1 did not send message token to rank 2: it crashed at t=4 (crash:1@before-send1)
without crash:1@before-send1: holds`, "\n"), found.Lines())
}

// What is broken without faults has no other run to compare with: it is said what led there.
func TestWithoutFaultsItIsSaidWhatLedThere(t *testing.T) {
	circle := relay(3)
	circle.program.Main = func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.WaitUntil(7)
			p.Send(1, mailbox.Message{Kind: token})
		} else if p.Rank() == 1 {
			p.Recv(mailbox.From(0))
			p.Send(2, mailbox.Message{Kind: vote})
		}
		p.Recv(mailbox.From((p.Rank() + 2) % 3))
		p.Recv(mailbox.OfKind(result))
	}
	require.Equal(t, strings.Split(`because:
    rank 0 waits for ever in Recv(any from 2) since t=8: ranks wait for each other: 0 -> 2 -> 1 -> 0
    what led rank 0 there: it had got no message`, "\n"), withoutRank1(circle).explain(t, "none").Lines())
}

// withoutRank1 is the same program; rank 1 keeps its message.
func withoutRank1(x tried) tried {
	main := x.program.Main
	x.program.Main = func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.Recv(mailbox.From(0))
			p.Recv(mailbox.From(0))
			return
		}
		main(p)
	}
	return x
}

// Marks say whom a verdict is about, the guilty one first, and what led there is told.
func TestStoriesBeginWithMarks(t *testing.T) {
	x := poll(3)
	x.check = func(rep *report.Report) guarantee.Verdict {
		v := guarantee.Verdict{Name: "linearizable", Value: guarantee.Held}
		if last := rep.Ranks[2].Exit; last < 20 {
			return v
		}
		v.Value, v.Evidence = guarantee.Broken, "no order explains what was read"
		v.Marks = []guarantee.Mark{
			{Rank: 1, From: 0, To: 4, Text: "write x=1"}, {Rank: 2, From: 5, To: clock.Forever, Text: "read x=0, which is old", Guilty: true},
		}
		return v
	}
	require.Equal(t, strings.Split(`because, compared with the run without lose:0@send2:
    rank 2 from t=5 on: read x=0, which is old
    it went on at t=40 without message result from rank 0, which would have come at t=17
    rank 0 sent it at t=13 as its send 2, and it was lost (lose:0@send2)
    what led rank 2 there: it had got no message
without lose:0@send2: holds`, "\n"), x.explain(t, "lose:0@send2").Lines())
}

// What ranks were told of others is followed to these.
func TestNoticesAreFollowedToWhoFailed(t *testing.T) {
	x := relay(3)
	x.detection = emu.Detection{Delay: 9}
	x.promises = nil
	x.program.Main = func(p protocols.Proc) {
		if p.Rank() != 0 {
			p.WaitUntil(30)
			return
		}
		p.Detector().Watch(2)
		p.RecvUntil(mailbox.OfKind(protocols.Failed), 40)
	}
	x.check = func(rep *report.Report) guarantee.Verdict {
		return guarantee.Verdict{Name: "rank 0 waits for nothing", Value: guarantee.ValueOf(rep.Ranks[0].Exit == 40), Evidence: "rank 0 was too early"}
	}
	require.Equal(t, strings.Split(`because, compared with the run without crash:2@t3:
    rank 0 was told at t=12 that rank 2 had failed
    rank 2 crashed at t=3 (crash:2@t3)
without crash:2@t3: holds`, "\n"), x.explain(t, "crash:2@t3").Lines())
}

// Many faults are left out in groups, and those that become the same are in one line.
func TestManyFaultsAreLeftOutInGroups(t *testing.T) {
	var all []string
	for rank := 1; rank <= 24; rank++ {
		all = append(all, fmt.Sprintf("slow:%dx2@t0", rank))
	}
	found := relay(30).explain(t, strings.Join(all, ",")+",crash:27@t5")
	require.Len(t, found.Without, cause.MostFaults)
	require.Equal(t, strings.Split(`because, compared with the run without slow:24x2@t0,crash:27@t5:
    rank 28 waits for ever in Recv(any from 27) since t=0; so does 1 more
    it did not get message token from rank 27, which would have come at t=158
    rank 27 did not send message token to rank 28: it crashed at t=5 (crash:27@t5)
without one of slow:1x2@t0, slow:2x2@t0, slow:3x2@t0, slow:4x2@t0,slow:5x2@t0 and 15 more: still broken, in the same way
without slow:24x2@t0,crash:27@t5: holds
the 25 faults are left out in 20 groups`, "\n"), found.Lines())

	found = relay(30).explain(t, "crash:26@t5,"+strings.Join(all, ",")+",crash:28@t5")
	require.Len(t, found.Without, cause.MostFaults+1)
	require.Equal(t, "without any of them: holds", found.Without[0].String())
	require.Contains(t, found.Lines(), "without any of them: holds")
}

// What cannot be run is said, and so is what panics; then there is nothing to follow.
func TestProgramsThatPanicAreExplainedByTheirFaults(t *testing.T) {
	x := relay(3)
	main := x.program.Main
	x.program.Main = func(p protocols.Proc) {
		if p.Rank() == 2 {
			if _, _, ok := p.RecvUntil(mailbox.Any, 10); !ok {
				panic("no token")
			}
			return
		}
		main(p)
	}
	require.Equal(t, []string{
		"without crash:1@t0: holds", "without slow:0x2@t0: still broken, in the same way", "the program did not end, so there are no messages to follow",
	}, x.explain(t, "crash:1@t0,slow:0x2@t0").Lines())

	c := relay(3).asked(t, faults.MustParse("crash:1@t0,rejoin:1@t9"))
	play := c.Play
	c.Play = func(ctx context.Context, s faults.Schedule, events bool) (cause.Played, error) {
		if s.Has(faults.Rejoin) && len(s) == 1 {
			return cause.Played{}, errors.New("nobody comes back who has not failed")
		}
		return play(ctx, s, events)
	}
	found, err := cause.Explain(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, []string{
		"without crash:1@t0: cannot be run: nobody comes back who has not failed", "without rejoin:1@t9: still broken: rank 2 waiting for ever", "without any of them: holds",
	}, found.Lines()[len(found.Lines())-3:])
}

// Two-phase commit blocks if the coordinator fails between votes and decision: others have voted, and wait for ever.
func TestTwoPhaseCommitBlocks(t *testing.T) {
	x := relay(3)
	x.promises = []guarantee.Guarantee{guarantee.Termination{}}
	x.program.Main = func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Recv(mailbox.OfKind(token))
			p.Send(0, mailbox.Message{Kind: vote})
			p.Recv(mailbox.OfKind(result))
			return
		}
		for _, kind := range []mailbox.Kind{token, result} {
			for other := 1; other < p.Size(); other++ {
				p.Send(other, mailbox.Message{Kind: kind})
			}
			for other := 1; other < p.Size() && kind == token; other++ {
				p.Recv(mailbox.OfKind(vote))
			}
		}
	}
	require.Equal(t, strings.Split(`because, compared with the run without hang:0@recv2:
    rank 1 waits for ever in Recv(kind=result) since t=5; so does 1 more
    it did not get message result from rank 0, which would have come at t=15
    rank 0 did not send message result to rank 1: it hung at t=11 (hang:0@recv2)
without hang:0@recv2: holds
without late:2@send1+2: still broken, in the same way`, "\n"), x.explain(t, "hang:0@recv2,late:2@send1+2").Lines())
}
