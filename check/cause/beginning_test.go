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
