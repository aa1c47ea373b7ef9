package model_test

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
	"github.com/mangrove-emu/mangrove/report"
)

// reading finds the items of a run's only view change in its trace, without any record: who sent
// what to whom when, and who was done when.
type reading struct {
	*trial
	items model.Items
}

// read follows the change from the root down, and back up.
func (x *trial) read(root int) model.Items {
	r := reading{trial: x}
	r.rank(root, x.step(root, "regroup"))
	return r.items
}

// rank adds what a rank does that has the news at an instant, and all below it on the path. It
// returns when the rank begins to acknowledge.
func (r *reading) rank(rank int, learnt clock.Time) clock.Time {
	installed := r.step(rank, "install")
	r.items.Compute += installed - learnt
	acks := r.those(report.EventTake, rank, membership.FailureAck)
	if len(acks) == 0 {
		return installed
	}
	last := acks[len(acks)-1]
	sent, turn := r.sent(rank, last.Peer)
	arrived := r.way(sent, rank, last.Peer)
	r.turn(sent-installed, turn)
	r.bytes()
	done := r.rank(last.Peer, r.late(arrived, r.step(last.Peer, "regroup")))
	up := r.those(report.EventSend, last.Peer, membership.FailureAck)[0].Time
	r.late(done, up)
	return r.late(r.way(up, last.Peer, rank), last.Time)
}

// turn splits the time until a send into those of the sends before it and waiting.
func (r *reading) turn(passed clock.Time, turn int) {
	each := max(r.logp.Overhead, r.logp.Gap)
	r.items.Levels++
	r.items.Sends += each * clock.Time(turn)
	r.items.Bytes += r.stretch() * clock.Time(turn)
	r.items.Waits += passed - (each+r.stretch())*clock.Time(turn)
}

// way adds a message's way, and returns when it would arrive if it had no bytes but the first.
func (r *reading) way(sent clock.Time, from, to int) clock.Time {
	latency := r.logp.Latency
	if r.network != nil {
		latency = r.network.Latency(from, to)
	}
	r.items.Overheads += 2 * r.logp.Overhead
	r.items.Latency += latency
	return sent + 2*r.logp.Overhead + latency
}

// bytes adds those of a change: a rank and its number, four bytes each. Late counts them, too,
// which is put right here.
func (r *reading) bytes() {
	r.items.Bytes += r.stretch()
	r.items.Waits -= r.stretch()
}

func (r *reading) stretch() clock.Time { return (8 - 1) * r.logp.PerByte }

// late adds what has passed since an instant at the earliest, and returns when it was.
func (r *reading) late(earliest, at clock.Time) clock.Time {
	r.items.Waits += at - earliest
	return at
}

// sent is when a rank began to send a change to a child, and to how many before.
func (r *reading) sent(rank, child int) (at clock.Time, turn int) {
	sends := r.those(report.EventSend, rank, membership.FailedNode, membership.RootDead)
	turn = slices.IndexFunc(sends, func(e report.Event) bool { return e.Peer == child })
	return sends[turn].Time, turn
}

// those are a rank's events with messages of some kinds.
func (x *trial) those(kind report.EventKind, rank int, messages ...mailbox.Kind) (events []report.Event) {
	for _, e := range x.report.Events {
		if e.Kind == kind && e.Rank == rank && slices.Contains(messages, e.Msg) {
			events = append(events, e)
		}
	}
	return events
}

// step is when a rank has passed a step.
func (x *trial) step(rank int, name string) clock.Time {
	i := slices.IndexFunc(x.report.Events, func(e report.Event) bool {
		return e.Kind == report.EventStep && e.Rank == rank && e.Step == name
	})
	return x.report.Events[i].Time
}
