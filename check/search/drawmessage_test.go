package search

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// forgiving is a program in which all ranks tell all others the same several times. Whoever has not heard of rank 0 in time passes a step, and what is
// promised is that no more than so many do.
func forgiving(ranks, deafAtMost int) *Subject {
	program := protocols.Program{Main: func(p protocols.Proc) {
		for round := range clock.Time(6) {
			p.WaitUntil(100 * round)
			for other := range ranks {
				if other != p.Rank() {
					p.Send(other, mailbox.Message{})
				}
			}
		}
		if _, _, ok := p.RecvUntil(mailbox.From(0), 700); p.Rank() > 0 && !ok {
			p.Step("deaf")
		}
	}}
	s := subject(ranks, program, func(rep *report.Report) []guarantee.Verdict {
		deaf := 0
		for _, e := range rep.Events {
			if e.Step == "deaf" {
				deaf++
			}
		}
		return []guarantee.Verdict{{Name: "heard", Value: guarantee.ValueOf(deaf <= deafAtMost)}}
	})
	s.Events, s.Machine.Unordered = true, true // what overtakes the first message is in time
	return s
}

// A protocol that says everything six times is broken only if all that a rank says is late: single messages, and single links, are not enough.
func TestAllMessagesOfARankAreLateTogether(t *testing.T) {
	s := forgiving(4, 2)
	found, err := Fuzz(t.Context(), s, FuzzOptions{Runs: 3000, Faults: 1, Kinds: []faults.Kind{faults.Late}, Roots: true})
	require.NoError(t, err)
	require.NotEmpty(t, found.Violations)
	small, err := Shrink(t.Context(), s, found.Violations[0].Schedule, Breaks("heard"), 1000)
	require.NoError(t, err)
	require.Regexp(t, `^late:0>\*@t\d+\.\.t\d+\+\d+$`, small.Schedule.String())
}

// What happens to messages happens to one, to a link, to all of a sender or to all for a receiver, of any rank.
func TestDrawnMessagesAreOfAllRanksAndLinks(t *testing.T) {
	const ranks = 4
	d, _ := drawerOf(t, forgiving(ranks, 0), FuzzOptions{Faults: 1, Kinds: []faults.Kind{faults.Lose}, Roots: true})
	single, links, senders, receivers := make(map[int]int), make(map[[2]faults.Group]int), make(map[faults.Group]int), make(map[faults.Group]int)
	for seed := range uint64(4000) {
		f := d.message(rand.New(rand.NewPCG(seed, 0)), faults.Lose)
		require.NoError(t, faults.Schedule{f}.Validate(ranks))
		switch {
		case !f.OfLinks():
			single[f.Rank]++
		case f.Right == faults.Others:
			senders[f.Left]++
		case f.Left == faults.Others:
			receivers[f.Right]++
		default:
			links[[2]faults.Group{f.Left, f.Right}]++
		}
	}
	require.Len(t, single, ranks)
	require.Len(t, links, ranks*(ranks-1))
	require.Len(t, senders, ranks)
	require.Len(t, receivers, ranks)
}

// A link is simpler than all links of a rank, and a message than a link.
func TestMessagesOfARankBecomeThoseOfALink(t *testing.T) {
	s := forgiving(4, 0)
	for text, want := range map[string]string{
		"late:0>*@t0..t900+900": `^late:0>1@t0\.\.t\d+\+\d+$`,
		"late:*>2@t0..t900+900": `^late:0>2@t0\.\.t\d+\+\d+$`,
	} {
		small, err := Shrink(t.Context(), s, faults.MustParse(text), Breaks("heard"), 1000)
		require.NoError(t, err)
		require.Regexp(t, want, small.Schedule.String(), text)
	}
}
