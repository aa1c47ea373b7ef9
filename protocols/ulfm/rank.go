package ulfm

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// rank is one rank with all its communicators. Whatever call it waits in, it takes every message
// that comes in: agreements and revocations of one communicator go on while the program waits in
// another.
type rank struct {
	protocols.Proc
	detector protocols.Detector
	options  Options

	comms []*Comm    // in the order of their identities
	last  []identity // of each maker of communicators, the last that was opened here, ascending

	knowledge
	seldom *seldom // never nil; changed by way of more only

	blocking Request    // the receive of a call that waits for it
	call     string     // the present one, or the last
	began    clock.Time // when that began
	takenIn  clock.Time // one more than when all was taken in that had come by then
	returned clock.Time // one more than when the program returned; 0: it has not
	ended    []ended    // the last calls that have ended with an error, if somebody will ask
	doing    doing
	spare    *counting // for the next agreement

	room struct { // for what all ranks have, without a piece of memory of its own
		world   Comm
		comms   [1]*Comm
		last    [1]identity
		watched [3]int32 // of a leaf of the tree that votes go up: its parent, the root and itself
	}
}

// seldom is what most ranks do without. Those share one with nothing in it.
type seldom struct {
	early   []envelope // messages of communicators that are still to come
	ongoing []*Request // collective operations that were begun and are not over, in this order
	// coming is how many agreements are under way that make a communicator and that nobody waits for.
	coming int

	made        uint32 // how many communicators it has made for all
	synchronous uint32 // how many synchronous messages it has sent

	newcomers map[int]int  // in which life those are who are there and in no communicator yet
	invited   []*Intercomm // by whom this rank was started, in the order of their calls
}

var noSeldom seldom

// more is where a rank puts something of that.
func (r *rank) more() *seldom {
	if r.seldom == &noSeldom {
		r.seldom = new(seldom)
	}
	return r.seldom
}

// envelope is a message and its sender, a rank of the machine.
type envelope struct {
	from int
	m    mailbox.Message
}

func newRank(p protocols.Proc, o Options) (*rank, error) {
	d, err := protocols.DetectorOf(p)
	if err != nil {
		return nil, err
	}
	if p.Size() > MaxRanks {
		return nil, fmt.Errorf("ulfm: %d ranks, want up to %d, who can be told apart as makers of communicators", p.Size(), MaxRanks)
	}
	r := &rank{Proc: p, detector: d, options: o, seldom: &noSeldom}
	r.comms, r.last, r.watched = r.room.comms[:0], r.room.last[:0], r.room.watched[:0]
	return r, nil
}

// world is the communicator of all ranks; for one that was started anew, of itself alone.
func (r *rank) world() *Comm {
	if r.Life() == 0 {
		return r.open(worldIdentity, wholeGroup(r.Size()))
	}
	self := groupOf(listed([]int{r.Rank()}), listed([]int{r.Life()}))
	return r.open(r.identityOf(process{r.Rank(), r.Life()}, 0), self)
}

// open makes a communicator and hands it what came before it was there.
func (r *rank) open(id identity, members group) *Comm {
	me, ok := members.memberOf(process{r.Rank(), r.Life()})
	if !ok {
		panic(fmt.Sprintf("ulfm: rank %d opens a communicator it is no member of", r.Rank()))
	}
	c := &r.room.world
	if c.r != nil { // there was a first one
		c = new(Comm)
	}
	*c = Comm{r: r, id: id, group: members, me: me, extra: &noExtra}
	c.agreements = c.room[:0]
	at, there := r.search(id)
	if there {
		panic(fmt.Sprintf("ulfm: rank %d opens %s twice", r.Rank(), r.describe(id)))
	}
	r.comms = slices.Insert(r.comms, at, c)
	r.remember(id)
	r.handleEarly()
	return c
}

// handleEarly takes the messages that came before their communicators. What belongs to none that is to come is dropped, too.
func (r *rank) handleEarly() {
	waiting := r.seldom.early
	if len(waiting) == 0 {
		return
	}
	r.more().early = nil
	for _, e := range waiting {
		r.handle(e.from, e.m)
	}
}

// search finds where a communicator is, or would be.
func (r *rank) search(id identity) (int, bool) {
	if last := len(r.comms) - 1; last >= 0 && r.comms[last].id == id { // as mostly
		return last, true
	}
	return slices.BinarySearchFunc(r.comms, id, func(c *Comm, id identity) int { return cmp.Compare(c.id, id) })
}

// remember notes that a communicator was opened. Those of one maker are opened in the order in
// which they were made, unless agreements on them are under way that nobody waits for.
func (r *rank) remember(id identity) {
	i, _ := slices.BinarySearch(r.last, id)
	n := r.countBits()
	switch {
	case i < len(r.last) && r.last[i]>>n == id>>n: // a later one was opened before
	case i > 0 && r.last[i-1]>>n == id>>n:
		r.last[i-1] = id
	default:
		r.last = slices.Insert(r.last, i, id)
	}
}

// toCome reports whether a communicator that is not there may still come: else it is over.
func (r *rank) toCome(id identity) bool {
	i, _ := slices.BinarySearch(r.last, id)
	return r.seldom.coming > 0 || i == len(r.last) || r.last[i]>>r.countBits() != id>>r.countBits()
}

// begin is how all calls begin: what has come in counts.
func (r *rank) begin(call string) {
	r.call, r.began = call, r.Now()
	r.catchUp()
}

// catchUp takes all messages that have come in, and all that the failure detector knows, and does what follows.
func (r *rank) catchUp() {
	for {
		r.takeIn()
		if !r.react() && !r.progress() {
			return
		}
	}
}

// takeIn takes all messages and all that the failure detector knows. There is nothing new before the clock goes on.
func (r *rank) takeIn() {
	if r.takenIn == r.Now()+1 {
		return
	}
	for {
		from, m, ok := r.Poll(mailbox.Any)
		if !ok {
			break
		}
		r.handle(from, m)
	}
	r.ask()
	r.takenIn = r.Now() + 1
}

// wait takes the next message, and all others that have come in by then. It does not wait if there
// is something to do without one.
func (r *rank) wait(in doing) {
	if r.react() {
		return
	}
	r.doing = in
	from, m := r.Recv(mailbox.Any)
	r.doing = idle // not deferred: a rank that waits for ever is still in its call
	r.handle(from, m)
	r.catchUp()
}

// handle takes a message.
func (r *rank) handle(from int, m mailbox.Message) {
	switch m.Kind {
	case protocols.Failed:
		r.noticed(from)
		return
	case hello:
		r.meet(from, int(m.A))
		return
	case welcome:
		r.join(identity(m.Epoch), m.Payload)
		return
	}
	id := identity(m.Epoch)
	if at, open := r.search(id); open {
		r.comms[at].handle(envelope{from, m})
	} else if r.toCome(id) {
		own := r.more()
		own.early = append(own.early, envelope{from, m})
	}
}
