package correction_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/report"
)

// word is a correction message that rank 5 hears: from whom, from which side, and who else is known there.
type word struct {
	from   int
	kind   mailbox.Kind
	listed []int
}

// sosAfter reports whether rank 5, which correction reaches by these words and which may leave when it knows of
// f+1 others, is left to send SOS.
func sosAfter(t *testing.T, f int, words []word) (sos bool) {
	t.Helper()
	runner, err := failureProof(t, f).On(correction.Ring{Size: machine.Ranks})
	require.NoError(t, err)
	m, err := emu.New(emu.Config{LogP: machine, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := m.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 5 {
			from, msg := p.Recv(mailbox.Any)
			runner.(correction.Wrapped).Reached(p, from, msg)
			return
		}
		for i, w := range words {
			if w.from == p.Rank() {
				p.WaitUntil(clock.Time(10 * i))
				p.Send(5, mailbox.Message{Kind: w.kind, Payload: correction.WithRanks(w.listed, "")})
			}
		}
	}}, emu.Options{})
	require.NoError(t, err)
	for _, e := range rep.Events {
		sos = sos || e.Kind == report.EventSend && e.Rank == 5 && e.Msg == correction.SOS
	}
	return sos
}

// A small ring is gone round, so a rank may hear of the same one from both sides. That is one rank that can
// fail, not two.
func TestRanksKnownOnBothSidesCountOnce(t *testing.T) {
	const left, right = correction.Rightward, correction.Leftward // the side that messages of that kind come from
	for name, c := range map[string]struct {
		f     int
		words []word
		sos   bool
	}{
		"one of one, f=0":                           {0, []word{{4, left, nil}}, false},
		"one, f=1":                                  {1, []word{{4, left, nil}}, true},
		"one from both sides, f=1":                  {1, []word{{4, left, nil}, {4, right, nil}}, true},
		"one on each side, f=1":                     {1, []word{{4, left, nil}, {6, right, nil}}, false},
		"two from both sides, f=1":                  {1, []word{{4, left, []int{3}}, {3, right, []int{4}}}, false},
		"two from both sides, f=2":                  {2, []word{{4, left, []int{3}}, {3, right, []int{4}}}, true},
		"two from both sides, the far one left out": {2, []word{{4, left, []int{3}}, {3, right, nil}}, true},
		"three, one of them from both sides, f=2":   {2, []word{{4, left, []int{3}}, {6, right, []int{4}}}, false},
		"three, one of them from both sides, f=3":   {3, []word{{4, left, []int{3}}, {6, right, []int{4}}}, true},
		"four, two on each side, f=3":               {3, []word{{4, left, []int{3}}, {6, right, []int{7}}}, false},
	} {
		require.Equal(t, c.sos, sosAfter(t, c.f, c.words), name)
	}
}
