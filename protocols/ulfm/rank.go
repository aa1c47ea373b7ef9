package ulfm

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// rank is one rank with all its communicators. Whatever call it waits in, it takes every message
// that comes in: agreements and revocations of one communicator go on while the program waits in
// another.
type rank struct {
	protocols.Proc
	detector protocols.Detector

	comms map[uint32]*Comm
	early map[uint32][]envelope // messages of communicators that are still to come
	next  uint32                // the lowest number that no communicator has, as far as is known

	failed   []int        // ranks of the machine, in the order in which this one learned of them
	isFailed map[int]bool // the same
	reacted  int          // how many of them have had consequences
	excluded bool         // others take this rank for failed
	asked    int          // how many of the detector's list are in failed
	watched  map[int]bool // ranks whose failure will be noticed
	watching int          // the next failure of the detector's list will be noticed if it is this one, from 1

	doing doing
}

// envelope is a message and its sender, a rank of the machine.
type envelope struct {
	from int
	m    mailbox.Message
}

func newRank(p protocols.Proc) (*rank, error) {
	d, err := protocols.DetectorOf(p)
	if err != nil {
		return nil, err
	}
	return &rank{Proc: p, detector: d, comms: make(map[uint32]*Comm)}, nil
}

// world is the communicator of all ranks, number 0.
func (r *rank) world() *Comm { return r.open(0, wholeGroup(r.Size())) }

// open makes a communicator and hands it what came before it was there.
func (r *rank) open(number uint32, members group) *Comm {
	me, ok := members.member(r.Rank())
	if !ok {
		panic(fmt.Sprintf("ulfm: rank %d opens a communicator it is no member of", r.Rank()))
	}
	c := &Comm{r: r, number: number, group: members, me: me}
	r.comms[number] = c
	r.next = max(r.next, number+1)
	waiting := r.early[number]
	delete(r.early, number)
	for _, e := range waiting {
		c.handle(e)
	}
	return c
}

// catchUp takes all messages that have come in.
func (r *rank) catchUp() {
	for {
		from, m, ok := r.Poll(mailbox.Any)
		if !ok && !r.react() {
			return
		}
		if ok {
			r.handle(from, m)
		}
	}
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
	c, open := r.comms[m.Epoch]
	switch {
	case m.Kind == protocols.Failed:
		r.noticed(from)
	case open:
		c.handle(envelope{from, m})
	case m.Epoch >= r.next: // else it was given up
		if r.early == nil {
			r.early = make(map[uint32][]envelope)
		}
		r.early[m.Epoch] = append(r.early[m.Epoch], envelope{from, m})
	}
}
