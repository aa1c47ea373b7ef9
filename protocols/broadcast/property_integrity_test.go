package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/report"
)

// Integrity (Corrected Trees, 2.1; Corrected Gossip, claim 1): whatever the broadcast and
// whoever fails, what arrives was sent before, only coloured ranks send, and whoever delivers
// something delivers the root's message.
func TestEveryBroadcastKeepsIntegrity(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		msg := mailbox.Message{A: 7, Payload: "news"}
		program, delivered := anyProgram(t, lab, logp, msg)
		rep := lab.run(logp, program, anySchedule(t, logp.Ranks))
		requireHeld(t, rep, program.Initiators, guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{})
		msg.Kind = broadcast.Down
		for rank, got := range delivered {
			if rep.Ranks[rank].Outcome == report.Finished {
				require.Equal(t, msg, got, "rank %d", rank)
			}
		}
	})
}

// No duplicates (Corrected Trees, 2.1; Corrected Gossip, claim 1): whatever the broadcast and
// whoever fails, no rank delivers twice.
func TestNoRankIsColouredTwice(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		program, _ := anyProgram(t, lab, logp, mailbox.Message{})
		rep := lab.run(logp, program, anySchedule(t, logp.Ranks))
		requireHeld(t, rep, program.Initiators, guarantee.NoDuplicates{ByEpoch: true})
	})
}

func requireHeld(t *rapid.T, rep *report.Report, roots []int, all ...guarantee.Guarantee) {
	t.Helper()
	for _, g := range all {
		verdict := g.Check(guarantee.Run{Report: rep, Roots: roots})
		require.NotEqual(t, guarantee.Broken, verdict.Value, "%s: %s; faults %v", verdict.Name, verdict.Evidence, rep.Faults)
	}
}
