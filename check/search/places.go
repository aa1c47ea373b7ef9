package search

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// Of a late message others notice its place only: after which messages its receiver takes it, and after which of its
// decisions by time. Two runs in which every rank takes the same messages and sees the same deadlines pass, in the same order,
// are one case.
//
// The order in a run is finer: it also says what waits for what. Whether a message finds the port of its receiver
// busy; whether a rank waits for a message, or finds it there. Where the order is the same, each instant of the run is a sum of the
// same costs, delays and instants that programs have named. So the delays with which a run has some order are those that fulfil linear
// inequalities: a convex set. That is what a sweep relies on.

// places are the order of a run and its case, as numbers that differ if these do.
type places struct{ order, what uint64 }

// reception is a message that has come in.
type reception struct {
	from  int
	msg   mailbox.Kind
	epoch uint32
	a     int64
	nth   uint64 // of those of its sender
	close bool   // right behind the one before it, as if it had waited for the port
	taken bool
}

// diarist reads the events of one rank.
type diarist struct {
	logp    clock.LogP
	now     clock.Time // when its program was done with what it did last
	free    clock.Time // when its receive port was free again
	came    []reception
	senders map[int]sender
	last    int // how many receptions matter: up to the last one that was taken
	order   uint64
	what    uint64
	shown   uint64 // what, by its last send
}

// sender is what has come in from a rank.
type sender struct {
	count uint64
	last  clock.Time
}

// placesOf reads the events of a run, which have decisions among them.
func placesOf(rep *report.Report) places {
	all := make([]diarist, len(rep.Ranks))
	for i := range all {
		all[i] = diarist{logp: rep.LogP, free: -1, order: uint64(i), what: uint64(i), shown: uint64(i)}
	}
	for i := range rep.Events {
		all[rep.Events[i].Rank].read(&rep.Events[i])
	}
	var sum places
	for i := range all {
		d := &all[i]
		for k := range d.came[:d.last] {
			d.order = mix(d.order, d.came[k].label())
		}
		sum.order += splitmix.At(d.order, 1)
		if rep.Ranks[i].Outcome.Failed() {
			d.what = d.shown // nobody will know the rest
		}
		sum.what += splitmix.At(d.what, 2)
	}
	return sum
}

// mix adds a word to what has been read so far.
func mix(sofar, word uint64) uint64 { return splitmix.At(sofar, word) }

// read reads one event.
func (d *diarist) read(e *report.Event) {
	waited := uint64(0)
	if e.Time > d.now {
		waited = 1
	}
	kind := uint64(e.Kind) + 1
	switch e.Kind {
	case report.EventReceive, report.EventNotice:
		d.receive(e)
		return
	case report.EventTake:
		d.take(e, kind<<1|waited)
	case report.EventSend, report.EventSendLost:
		d.order = mix(mix(d.order, kind<<1|waited), label(e.Peer, e.Msg, e.Epoch))
		d.now = e.Time + d.logp.Overhead
		if e.Kind == report.EventSend {
			d.what = mix(d.what, kind)
			d.shown = d.what
		}
		return
	case report.EventPass:
		d.order = mix(d.order, kind<<1|waited)
		d.what = mix(d.what, kind)
	case report.EventLook:
		d.order = mix(mix(d.order, kind<<1), uint64(e.A))
		d.what = mix(mix(d.what, kind), uint64(e.A))
	case report.EventWait:
		d.order = mix(d.order, kind<<1|waited)
	case report.EventCrash, report.EventHang, report.EventExit, report.EventRejoin, report.EventCut, report.EventDrop:
		d.order = mix(d.order, kind<<1)
	default:
		return // what follows from the rest, or what was done to messages
	}
	d.now = max(d.now, e.Time)
}

// receive reads that a message has come in.
func (d *diarist) receive(e *report.Event) {
	if d.senders == nil {
		d.senders = make(map[int]sender)
	}
	s := d.senders[e.Peer]
	r := reception{from: e.Peer, msg: e.Msg, epoch: e.Epoch, a: e.A, nth: s.count + 1}
	if start := e.Time - d.logp.Overhead; d.logp.ManyReceives { // no port, but links may hold it back
		r.close = s.count > 0 && e.Time == s.last
	} else {
		r.close = start == d.free
		d.free = start + max(d.logp.Overhead, d.logp.Gap)
	}
	d.senders[e.Peer] = sender{r.nth, e.Time}
	d.came = append(d.came, r)
}

// take reads that the program has taken a message: the first like this that is there.
func (d *diarist) take(e *report.Event, kind uint64) {
	for i := range d.came {
		r := &d.came[i]
		if !r.taken && r.from == e.Peer && r.msg == e.Msg && r.epoch == e.Epoch && r.a == e.A {
			r.taken = true
			d.last = max(d.last, i+1)
			d.order = mix(mix(d.order, kind), uint64(i))
			d.what = mix(mix(d.what, uint64(e.Kind)+1), mix(r.nth, label(r.from, r.msg, r.epoch)))
			return
		}
	}
}

func (r *reception) label() uint64 {
	text := label(r.from, r.msg, r.epoch)
	if r.close {
		return ^text
	}
	return text
}

// label is what a message is known by. What it says is left out: it may be an instant, which would be another one with each delay.
func label(peer int, msg mailbox.Kind, epoch uint32) uint64 {
	return uint64(peer)<<40 ^ uint64(msg)<<32 ^ uint64(epoch)
}
