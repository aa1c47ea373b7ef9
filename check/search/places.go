package search

import (
	"slices"

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
	id    uint64 // which of those of its sender
	close bool   // right behind the one before it, as if it had waited for the port
	taken bool
}

// diarist reads the events of one rank.
type diarist struct {
	logp    clock.LogP
	now     clock.Time // when its program was done with what it did last
	free    clock.Time // when its receive port was free again
	came    []reception
	ways    map[int]*way // from each sender
	arrived map[int]clock.Time
	sent    uint64 // how many messages it has sent
	copies  uint64 // how often the last one has left
	last    int    // how many receptions matter: up to the last one that was taken
	order   uint64
	what    uint64
	shown   uint64 // what, by its last send
}

// way is a link, and what is under way on it.
type way struct {
	flights []flight   // in the order in which they arrive
	last    clock.Time // when the last one does, in the order in which they were sent
	held    clock.Time // by how long others hold it up
}

// flight is a message under way.
type flight struct {
	arrival clock.Time
	id      uint64
}

// placesOf reads the events of a run, which have decisions among them. Links are in order, or not.
func placesOf(rep *report.Report, unordered bool) places {
	all := make([]diarist, len(rep.Ranks))
	for i := range all {
		all[i] = diarist{logp: rep.LogP, free: -1, order: uint64(i), what: uint64(i), shown: uint64(i)}
	}
	for i := range rep.Events {
		if e := &rep.Events[i]; e.Kind == report.EventLeave {
			id, again := all[e.Rank].leave()
			all[e.Peer].expect(e.Rank, clock.Time(e.A), id, again, unordered)
		} else {
			all[e.Rank].read(e)
		}
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
	case report.EventLost:
		d.land(e.Peer)
		return
	case report.EventTake:
		d.take(e, kind<<1|waited)
	case report.EventSend, report.EventSendLost:
		d.order = mix(mix(d.order, kind<<1|waited), label(e.Peer, e.Msg, e.Epoch))
		d.now = e.Time + d.logp.Overhead
		if e.Kind == report.EventSend {
			d.sent++
			d.copies = 0
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
	case report.EventWrite, report.EventDelete, report.EventWriteLost, report.EventSync, report.EventSyncLost, report.EventRead:
		d.order = mix(d.order, kind<<1|waited)
		d.now = e.Time + clock.Time(e.A)
		return
	case report.EventCrash, report.EventHang, report.EventExit, report.EventRejoin, report.EventCut, report.EventDrop:
		d.order = mix(d.order, kind<<1)
	default:
		return // what follows from the rest, or what was done to messages
	}
	d.now = max(d.now, e.Time)
}

// leave numbers the message that it has sent last, for each time that it is under way.
func (d *diarist) leave() (id uint64, again bool) {
	d.copies++
	return d.sent<<8 | d.copies, d.copies > 1
}

// expect reads that a message is under way to it.
func (d *diarist) expect(from int, arrival clock.Time, id uint64, again, unordered bool) {
	if d.ways == nil {
		d.ways, d.arrived = make(map[int]*way), make(map[int]clock.Time)
	}
	w := d.ways[from]
	if w == nil {
		w = new(way)
		d.ways[from] = w
	}
	if !unordered {
		if !again {
			w.held = max(0, w.last-arrival)
			w.last = arrival + w.held
		}
		arrival += w.held
	}
	at := len(w.flights)
	for at > 0 && w.flights[at-1].arrival > arrival {
		at--
	}
	w.flights = slices.Insert(w.flights, at, flight{arrival, id})
}

// land returns which message of a rank has arrived: ports serve them in the order in which they do.
func (d *diarist) land(from int) (id uint64) {
	w := d.ways[from]
	id = w.flights[0].id
	w.flights = w.flights[1:]
	return id
}

// receive reads that a message has come in.
func (d *diarist) receive(e *report.Event) {
	r := reception{from: e.Peer, msg: e.Msg, epoch: e.Epoch, a: e.A}
	if e.Kind == report.EventReceive {
		r.id = d.land(e.Peer)
	}
	if start := e.Time - d.logp.Overhead; d.logp.ManyReceives { // no port, but links may hold it back
		last, any := d.arrived[e.Peer]
		r.close = any && e.Time == last
		d.arrived[e.Peer] = e.Time
	} else {
		r.close = start == d.free
		d.free = start + max(d.logp.Overhead, d.logp.Gap)
	}
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
			d.what = mix(mix(d.what, uint64(e.Kind)+1), mix(r.id, label(r.from, r.msg, r.epoch)))
			return
		}
	}
}

func (r *reception) label() uint64 {
	text := mix(r.id, label(r.from, r.msg, r.epoch))
	if r.close {
		return ^text
	}
	return text
}

// label is what a message is known by. What it says is left out: it may be an instant, which would be another one with each delay.
func label(peer int, msg mailbox.Kind, epoch uint32) uint64 {
	return uint64(peer)<<40 ^ uint64(msg)<<32 ^ uint64(epoch)
}
