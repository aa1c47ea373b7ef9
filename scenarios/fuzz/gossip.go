package fuzz

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/report"
)

var gossipPromises = promises{traced: true, list: []promise{
	soundness,
	{"a rank that has the message does not wait for ever", nil, reachedWait},
	{"every live rank is reached and nobody waits for ever", func(t *trial) bool { return !t.rootFailed() && corrects(t) }, left},
	{"either all live ranks are reached or none", func(t *trial) bool { return !t.sharp() && corrects(t) }, divided},
	{"the neighbours of live g-nodes are reached", func(t *trial) bool { return t.is("variant", "ocg") }, neighbourLeft},
	{"nobody sends SOS", enoughGNodes, sos},
}}

// corrects is when a gossip reaches all live ranks or, if the root failed, all or none
// (Corrected Gossip, claims 3 and 4, corollary 3). Whoever fails before correction begins does
// no harm. After that, checked correction stands no failure, failure-proof correction f.
//
// Slow ranks do no harm. They may gossip after T, and others whom they tell of the time as
// well, but nobody corrects before L+o after T; and these corrections do not depend on when
// others begin. Where correction begins at T, the root corrects in any case.
func corrects(t *trial) bool {
	switch t.text("variant") {
	case "ccg":
		return t.correcting() == 0
	case "fcg":
		return t.correcting() <= t.number("f")
	}
	return false
}

// correcting is how many ranks failed once correction had begun. When ranks gossip for a time,
// that is after T+L+o, or after T. Whoever has sent no correction message yet might as well have failed
// before: nobody counts on it. With rounds, where each rank begins in its own time, this is the
// only measure.
func (t *trial) correcting() int {
	begin := clock.Time(0)
	switch {
	case t.sharp():
		begin = clock.Time(t.number("T"))
	case t.is("rounds", "0"):
		begin = clock.Time(t.number("T") + t.number("L") + t.number("o"))
	}
	n := 0
	for _, failure := range t.report.Failed {
		if at, _ := t.fell(failure.Rank); at > begin && t.hasCorrected(failure.Rank) {
			n++
		}
	}
	return n
}

// sharp reports whether correction begins at T. Whoever gossip reaches after that does not correct,
// so if the root fails, only some ranks may have the message.
func (t *trial) sharp() bool { return t.is("start", "sharp") }

// hasCorrected reports whether a rank has sent a correction message.
func (t *trial) hasCorrected(rank int) bool {
	return slices.ContainsFunc(t.report.Events, func(e report.Event) bool {
		return e.Rank == rank && e.Kind == report.EventSend && correction.FirstKind <= e.Msg && e.Msg <= correction.LastKind
	})
}

// enoughGNodes is when failure-proof correction needs no help (claim 5): f*f+f+1 ranks begin
// to correct, and no more than f of them fail at that. Slow ranks may be taken for failed.
func enoughGNodes(t *trial) bool {
	if !t.is("variant", "fcg") || t.slow() {
		return false
	}
	f, failed := t.number("f"), 0
	nodes := t.passing(gossip.StepCorrection)
	for _, rank := range nodes {
		if t.report.Ranks[rank].Outcome.Failed() {
			failed++
		}
	}
	return len(nodes) >= f*f+f+1 && failed <= f
}

// sos says who has sent SOS.
func sos(t *trial) string {
	for _, e := range t.report.Events {
		if e.Msg == correction.SOS && (e.Kind == report.EventSend || e.Kind == report.EventSendLost) {
			return fmt.Sprintf("rank %d at t=%d", e.Rank, e.Time)
		}
	}
	return ""
}

// neighbourLeft says who was left without the message although it is the neighbour of a rank
// that corrects: a g-node sends as many messages as fit into C, half of them to the left,
// rounded down (section III-B).
func neighbourLeft(t *trial) string {
	logp := t.report.LogP
	messages := (t.number("C") - int(logp.Latency+logp.Overhead)) / int(logp.Costs().Spacing)
	for _, rank := range t.passing(gossip.StepCorrection) {
		if t.report.Ranks[rank].Outcome.Failed() {
			continue
		}
		for away := -(messages / 2); away <= messages-messages/2; away++ {
			near := ((rank+away)%logp.Ranks + logp.Ranks) % logp.Ranks
			if slices.Contains(t.report.Unreached, near) {
				return fmt.Sprintf("rank %d never reached, %d away from rank %d, which sends %d messages", near, away, rank, messages)
			}
		}
	}
	return ""
}
