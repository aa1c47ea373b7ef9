package tcp

import (
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// recorded is an event of a rank, and when it happened more precisely than ticks say.
type recorded struct {
	report.Event
	At time.Duration // since the run began, within the tick of the event
}

// recording is what a rank has done so far, in all of its lives in this process. A nil recording records nothing: nobody has asked for it.
type recording struct {
	node *Node
	rank int

	mu     sync.Mutex
	events []recorded
}

// startRecording has all ranks here record what they do, before they begin.
func (n *Node) startRecording() {
	for i := range n.ranks {
		r := n.ranks[i].Load()
		r.recordIn(&recording{node: n, rank: r.id})
		if r.life > 0 {
			r.recording.note(report.EventRejoin, r.from)
		}
	}
}

// recordIn has a rank record what it does.
func (r *rank) recordIn(to *recording) {
	if r.recording = to; to != nil {
		r.box.onReceipt = func(l *letter) {
			kind := report.EventReceive
			if l.msg.Kind == protocols.Failed {
				kind = report.EventNotice
			}
			to.message(kind, l.at, l.from, &l.msg)
		}
	}
}

// instant is when something began that is recorded later.
func (r *recording) instant() time.Duration {
	if r == nil {
		return 0
	}
	return r.node.elapsed()
}

// note records something that concerns one rank only.
func (r *recording) note(kind report.EventKind, t clock.Time) {
	if r != nil {
		r.add(report.Event{Kind: kind, Time: t, Peer: report.NoPeer}, r.instant())
	}
}

// step records that the program has passed a named point.
func (r *recording) step(name string, t clock.Time) {
	if r != nil {
		r.add(report.Event{Kind: report.EventStep, Time: t, Peer: report.NoPeer, Step: name}, r.instant())
	}
}

// slow records that a slow-down took effect.
func (r *recording) slow(factor int, t clock.Time) {
	if r != nil {
		r.add(report.Event{Kind: report.EventSlow, Time: t, Peer: report.NoPeer, A: int64(factor)}, r.instant())
	}
}

// fate records what happens to the message that was sent last.
func (r *recording) fate(kind report.EventKind, t clock.Time, to int, by clock.Time) {
	if r != nil {
		r.add(report.Event{Kind: kind, Time: t, Peer: to, A: int64(by)}, r.instant())
	}
}

// message records something that happens now to a message, or with it.
func (r *recording) message(kind report.EventKind, t clock.Time, peer int, m *mailbox.Message) {
	if r != nil {
		r.messageAt(kind, t, peer, m, r.instant())
	}
}

// messageAt is message for something that began before.
func (r *recording) messageAt(kind report.EventKind, t clock.Time, peer int, m *mailbox.Message, at time.Duration) {
	if r != nil {
		r.add(report.Event{Kind: kind, Time: t, Peer: peer, Msg: m.Kind, Epoch: m.Epoch, A: m.A}, at)
	}
}

// storage records something that a rank has done with a record, or all of them, which began before and took so long.
func (r *recording) storage(kind report.EventKind, t clock.Time, name string, took clock.Time, at time.Duration) {
	if r != nil {
		r.add(report.Event{Kind: kind, Time: t, Peer: report.NoPeer, Step: name, A: int64(took)}, at)
	}
}

// forget records that a rank that has failed has lost so many changes.
func (r *recording) forget(lost int, t clock.Time) {
	if r != nil {
		r.add(report.Event{Kind: report.EventForget, Time: t, Peer: report.NoPeer, A: int64(lost)}, r.instant())
	}
}

// add records an event.
func (r *recording) add(e report.Event, at time.Duration) {
	e.Rank = r.rank
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, recorded{e, withinTick(e.Time, at, r.node.cfg.Tick)})
}

// take returns what has been recorded since it was taken last.
func (r *recording) take() []recorded {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.events
	r.events = nil
	return all
}

// withinTick is when something happened that counts as at an instant of the model: what is noted when its tick is over comes last in that,
// as it does not come before what was noted in time; what lies ahead comes first.
func withinTick(t clock.Time, at, tick time.Duration) time.Duration {
	first := time.Duration(t) * tick
	return min(max(at, first), first+tick-1)
}

// eventsPerFrame is how many events are sent in one frame, which is far from its limit.
const eventsPerFrame = 1 << 13

// sending is a send that has begun and not ended.
type sending struct {
	began bool
	t     clock.Time
	at    time.Duration
	to    int
	msg   mailbox.Message
}

// beginSend notes that a send has begun, if sends are recorded.
func (r *rank) beginSend(t clock.Time, to int, m *mailbox.Message) {
	if r.recording == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sending = sending{true, t, r.recording.instant(), to, *m}
}

// endSend records a send, if one has begun: how it ended says the kind. The caller holds the lock of the rank.
func (r *rank) endSend(kind report.EventKind) {
	if s := &r.sending; s.began {
		r.recording.messageAt(kind, s.t, s.to, &s.msg, s.at)
		r.sending = sending{}
	}
}

// deliverEvents sends what has been recorded here to the coordinator, in as many frames as it takes.
func (cc *coordinatorConn) deliverEvents() {
	for i := range cc.node.ranks {
		r := cc.node.ranks[i].Load().recording
		if r == nil {
			return
		}
		for events := r.take(); len(events) > 0; {
			n := min(len(events), eventsPerFrame)
			cc.tell(control{Events: events[:n]})
			events = events[n:]
		}
	}
}
