package tcp

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Send sends a message.
func (r *rank) Send(to int, m mailbox.Message) {
	if uint(to) >= uint(r.node.cfg.Ranks) {
		panic(fmt.Sprintf("protocols: Send to rank %d, want 0 to %d", to, r.node.cfg.Ranks-1))
	}
	if m.Kind == protocols.Failed {
		panic(fmt.Sprintf("protocols: Send of kind %d, which failure detectors keep to themselves; want 0 to %d", protocols.Failed, protocols.Failed-1))
	}
	if most := r.node.cfg.maxFrame(wire.Peer) - wire.Overhead; len(m.Payload) > most {
		panic(fmt.Sprintf("tcp: Send of %d bytes, want %d or fewer, as the limit on frames says", len(m.Payload), most))
	}
	r.alive()
	start := r.port.Start(r.look()) // the port is always free without a pace
	r.pause(start)
	r.passPoint(faults.BeforeSend, "")
	r.beginSend(start, to, &m)
	f := wire.Frame{Type: wire.Message, From: r.id, To: to, Message: m}
	resumed := r.occupyPort(start, &f)
	r.passMiddle(&f, resumed)
	r.pause(resumed)
	r.post(f)
	r.faults.with((*faults.Tracker).Sent)
	r.passPoint(faults.AfterSend, "")
}

// occupyPort begins to send a message, and returns when the send ends by the pace of the job. Without one it takes
// no time, but for what a slow rank adds.
func (r *rank) occupyPort(start clock.Time, f *wire.Frame) (resumed clock.Time) {
	r.faults.next(faults.MidSend, "", r.now) // if it slows the rank down, this send is slow
	costs := r.costs()
	if r.node.cfg.Pace == Free {
		f.Left = r.look()
		resumed = f.Left + costs.Overhead - r.node.costs.Overhead
	} else {
		resumed, f.Left = r.port.Send(start, f.Bytes(), &costs)
	}
	return resumed
}

// pause waits for an instant, if it lies ahead.
func (r *rank) pause(t clock.Time) {
	if t > r.look() {
		r.wait("Send", mailbox.None, t)
	}
}

// post hands a message over. It is sent then: whatever happens to this process, it is on its way
// as far as the kernel takes it.
func (r *rank) post(f wire.Frame) {
	r.mu.Lock()
	if r.status.outcome.Failed() {
		r.mu.Unlock()
		r.end()
	}
	r.status.sends++
	r.status.lastSend = max(f.Left, r.look())
	r.late.note(r.now - f.Left)
	r.endSend(report.EventSend)
	r.carry(f)
	r.mu.Unlock()
}

// carry puts a message on its way, and lets happen to it what the schedule says.
func (r *rank) carry(f wire.Frame) {
	var fate faults.Fate
	r.faults.with(func(t *faults.Tracker) { t.Message(f.Left, &fate) })
	r.node.ways.Meet(f.From, f.To, f.Left, &fate)
	if !fate.Arrives() {
		r.status.lost.Add(report.Loss{From: f.From, To: f.To, Time: f.Left, Kind: f.Kind, Epoch: f.Epoch, Cut: fate.Cut})
		r.recording.message(lossKind(fate), f.Left, f.To, &f.Message)
		return
	}
	if fate.Late > 0 {
		r.recording.fate(report.EventLate, f.Left, f.To, fate.Late)
	}
	for _, after := range fate.Again {
		r.recording.fate(report.EventTwice, f.Left, f.To, after)
	}
	held := r.node.held
	if held == nil {
		r.node.post(f)
		return
	}
	left, late := f.Left, fate.Late+r.jitter()
	if f.Left += late; !r.node.cfg.Unordered {
		f.Left = r.status.order.leave(f.To, left, late)
	}
	held.send(f, f.Left > left)
	for _, after := range fate.Again {
		again := f
		again.Left += after
		held.sendAgain(again)
	}
}

// lossKind is how a message was lost on its way.
func lossKind(fate faults.Fate) report.EventKind {
	if fate.Cut {
		return report.EventCut
	}
	return report.EventDrop
}

// jitter is by how much the message that is being sent is late by chance.
func (r *rank) jitter() clock.Time {
	if r.node.cfg.Jitter == nil {
		return 0
	}
	send := int(r.status.sends)
	r.faults.with(func(t *faults.Tracker) { send = t.History().Sends + 1 }) // in former lives, too
	return clock.DrawJitter(r.node.cfg.Jitter, r.node.cfg.Seed, r.id, send)
}

// receiving is what its receive port charges: nothing if the job does not keep to the model.
func (r *rank) receiving() clock.Costs {
	if r.node.cfg.Pace != Model {
		return clock.Costs{}
	}
	return r.costs()
}

// costs are those of its ports by now.
func (r *rank) costs() clock.Costs {
	return r.node.costs.Times(r.faults.factorAt(r.look()))
}
