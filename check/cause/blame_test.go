package cause_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// wanted is a program in which a rank is to end with a result.
func wanted(ranks, rank int, want string, main func(p protocols.Proc, results []string)) tried {
	results := make([]string, ranks)
	return tried{
		ranks: ranks,
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			results[p.Rank()] = ""
			main(p, results)
		}},
		check: func(*report.Report) guarantee.Verdict {
			got := results[rank]
			return guarantee.Verdict{Name: "result", Value: guarantee.ValueOf(got == want), Evidence: fmt.Sprintf("rank %d has %q", rank, got)}
		},
	}
}

// passedOn is a message from rank 0 that rank 1 passes on to rank 2, which waits for it up to t=100.
func passedOn() tried {
	return wanted(3, 2, "ok", func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 0:
			send(p, 1, token, 0, "")
		case 1:
			p.Recv(mailbox.Any)
			send(p, 2, vote, 0, "")
			p.WaitUntil(60)
		case 2:
			if _, _, ok := p.RecvUntil(mailbox.Any, 100); ok {
				results[2] = "ok"
			}
		}
	})
}

func send(p protocols.Proc, to int, kind mailbox.Kind, a int64, payload string) {
	p.Send(to, mailbox.Message{Kind: kind, A: a, Payload: payload})
}

// because is the story alone, without what changes otherwise. Some of the faults are given.
func because(t *testing.T, x tried, schedule string, given ...faults.Fault) string {
	t.Helper()
	c := x.asked(t, faults.MustParse(schedule))
	c.Given = given
	found, err := cause.Explain(t.Context(), c)
	require.NoError(t, err)
	lines := found.Lines()
	var story []string
	for _, line := range lines[1:] {
		if text, told := strings.CutPrefix(line, "    "); told {
			story = append(story, text)
		}
	}
	return strings.Join(story, "\n")
}

// A fault that strikes in both runs, and after what is to be explained, is not to blame.
func TestAFaultOfBothRunsIsNotToBlame(t *testing.T) {
	x := passedOn()
	require.Equal(t, `rank 2 went on at t=100 without message vote from rank 1, which would have come at t=8
rank 1 did not send message vote to rank 2: it crashed at t=50, without message token from rank 0, which would have come at t=4
rank 0 sent it at t=0, and it was lost on the link, which was cut (cut:0|1@t0)`, because(t, x, "cut:0|1@t0,crash:1@t50"))
}

// What was sent when the receiver had gone on cannot be what it lacked, whatever became of it.
func TestWhatWasSentTooLateIsNotLackedBecauseItWasLost(t *testing.T) {
	x := wanted(3, 1, "ok", func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 2:
			send(p, 0, token, 0, "")
		case 0:
			p.Recv(mailbox.Any)
			send(p, 1, vote, 0, "")
		case 1:
			if _, _, ok := p.RecvUntil(mailbox.Any, 20); ok {
				results[1] = "ok"
			}
		}
	})
	require.Equal(t, `rank 1 went on at t=20 without message vote from rank 0, which would have come at t=8
rank 0 sent it at t=34, not at t=4
message token from rank 2 came at t=34, not at t=4: it was late (late:2@send1+30)`, because(t, x, "late:2@send1+30,cut:0|1@t30"))
	patient := x
	patient.program.Main = func(p protocols.Proc) {
		if p.Rank() != 1 {
			x.program.Main(p)
			return
		}
		p.Recv(mailbox.Any)
	}
	patient.check, patient.promises = nil, []guarantee.Guarantee{guarantee.NoDeadlock{}}
	require.Equal(t, `rank 1 waits for ever in Recv(any) since t=0
it did not get message vote from rank 0, which would have come at t=8
rank 0 sent it at t=34, and it was lost on the link, which was cut (cut:0|1@t30); it would have been sent at t=4
message token from rank 2 came at t=34, not at t=4: it was late (late:2@send1+30)`, because(t, patient, "cut:0|1@t30,late:2@send1+30", faults.MustParse("cut:0|1@t30")...))
}

// A message that came once more, in the place of one with something else in it, is the end of the story.
func TestAMessageThatCameAgainIsToBlame(t *testing.T) {
	x := wanted(2, 1, "123", func(p protocols.Proc, results []string) {
		for i := range int64(3) {
			if p.Rank() == 0 {
				send(p, 1, token, i+1, "")
				p.Recv(mailbox.Any)
				continue
			}
			_, m := p.Recv(mailbox.Any)
			results[1] += fmt.Sprint(m.A)
			send(p, 0, vote, m.A, "")
		}
	})
	require.Equal(t, `rank 1 got message token from rank 0 at t=5 with a=1 in it, and would have got it with a=2
rank 0 sent it once, at t=0, and it came again at t=5 (twice:0@send1+1)`, because(t, x, "twice:0@send1+1"))
}

// A message that comes when its receiver has failed is lost because it was late, if the receiver fails in any case.
func TestALateMessageIsLostAtWhoHasFailed(t *testing.T) {
	x := passedOn()
	require.Equal(t, `rank 2 went on at t=100 without message vote from rank 1, which would have come at t=8
rank 1 did not send message vote to rank 2: it crashed at t=20, without message token from rank 0, which would have come at t=4
rank 0 sent it at t=0, and it came at t=43, when rank 1 had failed: it was late (late:0@send1+40)`, because(t, x, "late:0@send1+40,crash:1@t20", faults.MustParse("crash:1@t20")...))
}

// A message may wait behind one that is late.
func TestAMessageWaitsBehindALateOne(t *testing.T) {
	x := wanted(2, 1, "ok", func(p protocols.Proc, results []string) {
		if p.Rank() == 0 {
			send(p, 1, token, 0, "")
			send(p, 1, vote, 0, "")
		} else if _, _, ok := p.RecvUntil(mailbox.OfKind(vote), 15); ok {
			results[1] = "ok"
		}
	})
	require.Equal(t, `rank 1 went on at t=15 without message vote from rank 0, which would have come at t=5
message vote from rank 0 came at t=25, not at t=5: it waited behind send 1 on that link, which was late (late:0@send1+20)`, because(t, x, "late:0@send1+20"))
}

// Values are in payloads, which events do not have. The story goes back to who did something else before it sent them, over those who only passed them on.
func TestAValueIsFollowedToWhereItCameFrom(t *testing.T) {
	x := wanted(4, 3, "new", func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 0:
			send(p, 1, token, 0, "new")
		case 1:
			value := "old"
			p.WaitUntil(10)
			if _, m, ok := p.Poll(mailbox.Any); ok {
				value = m.Payload
			}
			send(p, 2, vote, 0, value)
		default:
			_, m := p.Recv(mailbox.Any)
			if results[p.Rank()] = m.Payload; p.Rank() == 2 {
				send(p, 3, vote, 0, m.Payload)
			}
		}
	})
	require.Equal(t, `rank 3 had got message vote from rank 2 at t=18
rank 2 had got message vote from rank 1 at t=14
rank 1 sent that at t=10: it went on at t=10 without message token from rank 0, which would have come at t=4
rank 0 sent it at t=0 as its send 1, and it was lost (lose:0@send1)`, because(t, x, "lose:0@send1"))
}

// What happened after an operation has not led to its result.
func TestWhatCameLaterIsNotToBlameForAMark(t *testing.T) {
	var got string
	var asked, told clock.Time
	x := tried{
		ranks: 3,
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			switch p.Rank() {
			case 0:
				p.WaitUntil(30)
				send(p, 1, token, 0, "1")
				p.WaitUntil(60)
				send(p, 2, result, 0, "")
			case 1:
				for value := ""; ; {
					if from, m := p.Linger(mailbox.Any); from == 0 {
						value = m.Payload
					} else {
						send(p, 2, vote, 0, value)
					}
				}
			case 2:
				p.WaitUntil(50)
				asked = p.Now()
				send(p, 1, token, 0, "")
				_, m := p.Recv(mailbox.OfKind(vote))
				got, told = m.Payload, p.Now()
				p.RecvUntil(mailbox.OfKind(result), 100)
			}
		}},
	}
	x.check = func(*report.Report) guarantee.Verdict {
		v := guarantee.Verdict{Name: "fresh", Value: guarantee.ValueOf(got == "1"), Evidence: "what was read is old"}
		v.Marks = []guarantee.Mark{{Rank: 2, From: asked, To: told, Text: "reads " + got, Guilty: true}}
		return v
	}
	story := because(t, x, "cut:0>*@t20")
	require.Contains(t, story, `rank 2 from t=50 to t=58: reads 
it had got message vote from rank 1 at t=58
rank 1 sent that at t=54: it got message token from rank 2 at t=54, before message token from rank 0, which would have come at t=34
rank 0 sent it at t=30, and it was lost on the link, which was cut (cut:0>*@t20)`)
	require.NotContains(t, story, "t=60")
}

// Of changes that were not safe, what matters is told: what was kept may be the reason, and what was replaced by something that was kept is not missing.
func TestWhatWasKeptIsTold(t *testing.T) {
	var found string
	program := func(changes ...string) tried {
		return tried{ranks: 1, program: protocols.Program{Main: func(p protocols.Proc) {
			disk := p.Storage()
			if found = ""; p.Life() == 0 {
				for _, c := range changes {
					name, value, _ := strings.Cut(c, "=")
					disk.Write(name, value)
				}
				disk.Sync()
			}
			for _, name := range []string{"x", "y"} {
				value, _ := disk.Read(name)
				found += value
			}
		}}, check: func(*report.Report) guarantee.Verdict {
			return guarantee.Verdict{Name: "both or none", Value: guarantee.ValueOf(len(found)%2 == 0), Evidence: "rank 0 has half"}
		}}
	}
	require.Equal(t, `rank 0 crashed at t=1 (crash:0@after-write1:kept1)
rank 0 kept what no sync had made safe: the change of x at t=0
rank 0 began again at t=20 (rejoin:0@t20) and read x at t=20, with that`, because(t, program("x=1", "y=1"), "crash:0@after-write1:kept1,rejoin:0@t20"))
	require.Equal(t, `rank 0 crashed at t=5 in a sync (crash:0@sync1:kept2)
of what no sync had made safe, rank 0 lost the change of y at t=2, and kept the change of x at t=1
rank 0 began again at t=20 (rejoin:0@t20) and read y at t=20, without that`, because(t, program("x=1", "x=2", "y=2"), "crash:0@sync1:kept2,rejoin:0@t20"))
}

// A message that was sent earlier than it would have been is not due to what its sender did afterwards.
func TestWhatTheSenderDidLaterIsNotToBlame(t *testing.T) {
	x := wanted(6, 3, "4", func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 0: // its port takes in the vote behind the tokens, if these come
			p.Recv(mailbox.OfKind(vote))
			send(p, 3, result, 0, "")
			for range 2 {
				p.RecvUntil(mailbox.OfKind(token), 40)
			}
		case 1, 2:
			send(p, 0, token, 0, "")
		case 5:
			send(p, 0, vote, 0, "")
		case 3:
			from, _ := p.Recv(mailbox.Any)
			results[3] = fmt.Sprint(from)
		case 4:
			p.WaitUntil(5)
			send(p, 3, vote, 0, "")
		}
	})
	story := because(t, x, "cut:1-2|*@t0")
	require.Contains(t, story, "rank 3 got message result from rank 0 at t=8, before message vote from rank 4")
	require.Contains(t, story, "it got message vote from rank 5 at t=4, not at t=6")
	require.NotContains(t, story, "t=40")
}
