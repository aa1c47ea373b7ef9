package buntinas

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// member is one rank at work.
//
// Invariants:
//  1. attempt only grows. What belongs to an earlier one is answered or ignored, never acted on.
//  2. Every Down is answered once, though it may arrive twice, by Ack or Nack, unless the rank fails: by its own part in
//     the attempt, or because it is late, or because a later one comes first. So nobody waits
//     for ever for a rank that lives and lingers.
//  3. Ack means that every live rank of the interval has the message.
//  4. failed holds ranks that have failed, and nobody else.
type member struct {
	*Broadcast
	p        protocols.Proc
	detector protocols.Detector
	message  mailbox.Message // what is broadcast

	attempt int          // 0 before the first
	parent  int          // who has sent the attempt's Down
	pending []int        // children that have not answered
	answer  mailbox.Kind // Ack or Nack, 0 for none yet
	until   clock.Time   // the rank lingers, once it has answered
	failed  places       // as far as others have told, or notices

	result Result
}

// open makes the rank one that has the message.
func (m *member) open(msg mailbox.Message) {
	detector, err := protocols.DetectorOf(m.p)
	if err != nil {
		panic(err)
	}
	m.detector, m.message = detector, msg
	m.p.Step(StepColoured)
	m.result.Message, m.result.At = msg, m.p.Now()
}

// lead does the part of the root: one attempt after the other, until one is acknowledged.
func (m *member) lead(msg mailbox.Message) {
	msg.Kind, msg.Epoch = Down, m.Epoch
	m.open(msg)
	for m.answer != Ack {
		if m.attempt++; m.attempt > 1 {
			m.p.Step(StepRestart)
		}
		m.answer = 0
		m.spread(m.machine.Ranks)
		for m.answer == 0 {
			m.handle(m.p.Recv(everything.UpTo(m.Epoch)))
		}
	}
	m.p.Step(StepComplete)
	m.result.Complete = m.p.Now()
}

// follow does the part of the others: it takes part in whatever attempt comes, and lingers
// after each.
func (m *member) follow() {
	for {
		if m.answer == 0 {
			m.handle(m.p.Recv(everything.UpTo(m.Epoch)))
			continue
		}
		from, msg, ok := m.p.RecvUntil(everything.UpTo(m.Epoch), m.until)
		if !ok {
			return
		}
		m.handle(from, msg)
	}
}

// handle deals with one message.
func (m *member) handle(from int, msg mailbox.Message) {
	current := msg.Epoch == m.Epoch && attemptOf(msg) == m.attempt
	child := slices.Index(m.pending, from)
	if msg.Kind == protocols.Failed { // true, whichever attempt the rank was watched in
		m.failed = m.failed.with(m.place(from))
	}
	switch {
	case msg.Kind == Down:
		m.join(from, msg)
	case child < 0:
		// It has answered, or was a child in an earlier attempt only.
	case msg.Kind == protocols.Failed:
		m.reply(Nack)
	case current && msg.Kind == Nack:
		r := varint.Reader{Rest: msg.Payload}
		m.failed = m.failed.with(r.List()...)
		m.reply(Nack)
	case current && msg.Kind == Ack:
		if m.pending = slices.Delete(m.pending, child, child+1); len(m.pending) == 0 {
			m.reply(Ack)
		}
	}
}

// join takes part in an attempt, unless it is over.
func (m *member) join(from int, down mailbox.Message) {
	if down.Epoch == m.Epoch && attemptOf(down) == m.attempt && from == m.parent {
		return // it takes part already: the message has arrived twice
	}
	if down.Epoch != m.Epoch || attemptOf(down) <= m.attempt {
		m.p.Step(StepLate)
		m.p.Send(from, refusal(down.Epoch, attemptOf(down), nil))
		return
	}
	msg, end, failed := unpack(down)
	if m.attempt == 0 {
		m.open(msg)
	}
	m.failed = m.failed.with(failed...)
	parent, attempt, waited := m.parent, m.attempt, m.attempt > 0 && m.answer == 0
	m.attempt, m.parent, m.answer, m.pending = attemptOf(down), from, 0, m.pending[:0]
	m.spread(end)
	if waited { // tell the old parent, too, but the children first
		m.p.Step(StepAbandon)
		m.p.Send(parent, refusal(m.Epoch, attempt, nil))
	}
}

// reply ends the rank's part in an attempt. The root has nobody to tell.
func (m *member) reply(kind mailbox.Kind) {
	m.answer, m.pending = kind, m.pending[:0]
	if m.p.Rank() == m.Root {
		return
	}
	msg := mailbox.Message{Kind: Ack, Epoch: m.Epoch, A: int64(m.attempt) << attemptShift}
	if kind == Nack {
		msg = refusal(m.Epoch, m.attempt, m.failed)
	}
	m.p.Send(m.parent, msg)
	m.until = m.p.Now() + m.lingering(len(m.message.Payload))
}

// refusal is a Nack.
func refusal(epoch uint32, attempt int, failed places) mailbox.Message {
	return mailbox.Message{
		Kind: Nack, Epoch: epoch, A: int64(attempt) << attemptShift, Payload: string(varint.AppendList(nil, failed)),
	}
}
