package cause_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// unnamed is a program that is broken if results differ from what they are to be; its evidence names no rank.
func unnamed(want []string, main func(p protocols.Proc, results []string)) tried {
	results := make([]string, len(want))
	x := wanted(len(want), 0, "", func(p protocols.Proc, _ []string) {
		results[p.Rank()] = ""
		main(p, results)
	})
	x.check = func(*report.Report) guarantee.Verdict {
		return guarantee.Verdict{Name: "results", Value: guarantee.ValueOf(fmt.Sprint(results) == fmt.Sprint(want)), Evidence: "something differs"}
	}
	return x
}

// Where nobody is named the story begins with who did something else first, or would have, and has not failed itself.
func TestStoriesOfNobodyBeginWithWhoDiffersFirst(t *testing.T) {
	main := func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 0: // gets 2 early and 1 late
			for results[0] != "21" {
				from, _, ok := p.RecvUntil(mailbox.Any, 50)
				if !ok {
					return
				}
				results[0] += fmt.Sprint(from)
			}
		case 1:
			p.WaitUntil(20)
			send(p, 0, token, 0, "")
		case 2:
			send(p, 0, vote, 0, "")
			p.WaitUntil(30)
			send(p, 3, vote, 0, "")
			p.WaitUntil(90)
		case 3:
			if _, _, ok := p.RecvUntil(mailbox.Any, 40); ok {
				results[3] = "ok"
			}
		}
	}
	x := unnamed([]string{"21", "", "", "ok"}, main)
	require.Equal(t, `rank 0 went on at t=50 without message token from rank 1, which would have come at t=24
rank 1 did not send message token to rank 0: it crashed at t=2 (crash:1@t2)`, because(t, x, "crash:1@t2"), "who fails is first, and is what the story comes to")
	require.Equal(t, `rank 3 went on at t=40 without message vote from rank 2, which would have come at t=34
rank 2 did not send message vote to rank 3: it crashed at t=5 (crash:2@t5)`, because(t, x, "crash:2@t5"))
	require.Equal(t, `rank 0 went on at t=50 without message token from rank 1, which would have come at t=24
rank 1 sent it at t=20, and it was lost on the link, which was cut (cut:0+3|1-2@t8)`, because(t, x, "cut:0+3|1-2@t8"), "rank 3 went on at t=40, but would have got a message at t=34 only")
	require.Equal(t, `rank 0 got message vote from rank 2 at t=5, before message token from rank 1, which would have come at t=24
rank 2 sent it once, at t=0, and it came again at t=5 (twice:2@send1+1)`, because(t, x, "twice:2@send1+1"))
}

// What was heard from a failure detector is followed to who failed.
func TestLooksAreFollowedToWhoFailed(t *testing.T) {
	x := wanted(3, 0, "nobody", func(p protocols.Proc, results []string) {
		if p.WaitUntil(30); p.Rank() != 0 {
			return
		}
		if results[0] = "nobody"; p.Detector().Suspects(2) {
			results[0] = "rank 2"
		}
	})
	x.detection = emu.Detection{Delay: 9}
	require.Equal(t, `rank 0 heard from its failure detector at t=30 that rank 2 had failed
rank 2 crashed at t=3 (crash:2@t3)`, because(t, x, "crash:2@t3"))
}

// A factor of two is not made milder.
func TestWhatIsMildIsNotTriedMilder(t *testing.T) {
	x := poll(8)
	mild := x.explain(t, "slow:0x2@t0").Lines()
	require.Equal(t, "without slow:0x2@t0: holds", mild[len(mild)-1])
	require.Contains(t, x.explain(t, "slow:0x3@t0").Lines(), "with slow:0x2@t0 instead: still broken: rank 7 has 4 votes")
}

// If each of two faults is needed, the run to compare with is the one without the fault that tells more, wherever it stands in the schedule.
func TestTheFaultThatTellsMoreIsLeftOut(t *testing.T) {
	var seen []string // what rank 0 has got from each, and when
	x := tried{
		ranks: 3,
		program: protocols.Program{KindName: named, Main: func(p protocols.Proc) {
			if p.Rank() > 0 {
				p.WaitUntil(clock.Time(20 * p.Rank()))
				send(p, 0, vote, 0, "")
				return
			}
			seen = make([]string, p.Size())
			for {
				from, _, ok := p.RecvUntil(mailbox.Any, 90)
				if !ok {
					return
				}
				seen[from] += fmt.Sprint(p.Now(), " ")
			}
		}},
	}
	order := []string{"crash:RANK@send1", "lose:RANK@send1", "twice:RANK@send1+30", "late:RANK@send1+30", "slow:RANKx9@t0"}
	_, err := x.player(t)(t.Context(), nil, false)
	require.NoError(t, err)
	usual := seen
	x.check = func(*report.Report) guarantee.Verdict {
		both := seen[1] != usual[1] && seen[2] != usual[2]
		return guarantee.Verdict{Name: "one of them is as usual", Value: guarantee.ValueOf(!both), Evidence: "rank 0 got neither as usual"}
	}
	for i, more := range order {
		for _, less := range order[i+1:] {
			for _, ranks := range [][2]string{{"1", "2"}, {"2", "1"}} {
				more, less := strings.ReplaceAll(more, "RANK", ranks[0]), strings.ReplaceAll(less, "RANK", ranks[1])
				for _, schedule := range []string{more + "," + less, less + "," + more} {
					require.Equal(t, "because, compared with the run without "+more+":", x.explain(t, schedule).Lines()[0], schedule)
				}
			}
		}
	}
}

// Evidence names ranks, in the order in which they are looked at, and numbers that are none.
func TestStoriesBeginWithTheFirstRankThatDiffersOfThoseNamed(t *testing.T) {
	x := unnamed([]string{"", "ok", "ok", "ok"}, func(p protocols.Proc, results []string) {
		if p.Rank() == 0 {
			for to := 1; to < p.Size(); to++ {
				send(p, to, token, 0, "")
			}
			return
		}
		if _, _, ok := p.RecvUntil(mailbox.Any, 20); ok {
			results[p.Rank()] = "ok"
		}
	})
	check := x.check
	for evidence, first := range map[string]int{
		"ranks 1, 3 and 2 disagree":                 3,
		"rank 1 has another value than ranks 2, 3":  2,
		"rank 4, if there were one, would say so":   2, // as nobody is named
		"rank 3 does not agree with rank 3":         3,
		"ranks 1, 1 and 3 disagree, and so do 2 of": 3,
	} {
		x.check = func(rep *report.Report) guarantee.Verdict {
			v := check(rep)
			v.Evidence = evidence
			return v
		}
		story := because(t, x, "cut:0|2-3@t0")
		require.True(t, strings.HasPrefix(story, fmt.Sprintf("rank %d went on at t=20 without message token from rank 0", first)), "%s: %s", evidence, story)
	}
}

// The way to what a mark is about is told back to who began it, the middle in short.
func TestTheWayToAMarkIsTold(t *testing.T) {
	for _, c := range []struct {
		ranks int
		want  string
	}{
		{1, "it had got no message"},
		{2, "message token from rank 0 (t=0 to 4) <- rank 0 began"},
		{3, "message token from rank 1 (t=4 to 8) <- message token from rank 0 (t=0 to 4) <- rank 0 began; the longest wait: rank 2, 8 ticks, for message token"},
		{5, "message token from rank 3 (t=12 to 16) <- message token from rank 2 (t=8 to 12) <- message token from rank 1 (t=4 to 8) <- message token from rank 0 (t=0 to 4) <- rank 0 began; " +
			"the longest wait: rank 4, 16 ticks, for message token"},
		{7, "message token from rank 5 (t=20 to 24) <- message token from rank 4 (t=16 to 20) <- message token from rank 3 (t=12 to 16) <- message token from rank 2 (t=8 to 12) <- 2 more <- rank 0 began; " +
			"the longest wait: rank 6, 24 ticks, for message token"},
	} {
		x := relay(c.ranks)
		x.promises = nil
		x.check = func(rep *report.Report) guarantee.Verdict {
			last := c.ranks - 1
			return guarantee.Verdict{Name: "fresh", Marks: []guarantee.Mark{{Rank: last, From: 0, To: rep.Ranks[last].Exit, Text: "read", Guilty: true}}}
		}
		all := x.explain(t, "none").Lines()
		require.Contains(t, all[len(all)-1], ": "+c.want)
		require.True(t, strings.HasSuffix(all[len(all)-1], ": "+c.want), all[len(all)-1])
	}
}

// Who is slow does what it does later.
func TestWhoIsSlowIsLater(t *testing.T) {
	x := wanted(3, 1, "ok", func(p protocols.Proc, results []string) {
		switch p.Rank() {
		case 0:
			send(p, 2, vote, 0, "")
			send(p, 1, token, 0, "")
		case 1:
			if _, _, ok := p.RecvUntil(mailbox.Any, 20); ok {
				results[1] = "ok"
			}
		}
	})
	require.Equal(t, `rank 1 went on at t=20 without message token from rank 0, which would have come at t=5
message token from rank 0 came at t=63, not at t=5: it was sent at t=30, not at t=1
rank 0 sent message token to rank 1 at t=30, not at t=1: it was slow (slow:0x30@t0)`, because(t, x, "slow:0x30@t0"))
}
