package ulfm

import "github.com/mangrove-emu/mangrove/mailbox"

// openMPI is the algorithm OpenMPI at work: early-returning agreements, one for Agree. Shrink has as many as it
// takes, one after the other, each of these steps again and again until no failure is reported:
//
//  1. who has failed: every member acknowledges those that it knows of, and after that what came out before;
//  2. the identity of the new communicator, as the largest that all have free,
//  3. and whether it is free everywhere; here whoever decides makes one that is;
//  4. that all are ready to use it.
//
// Who fails after the first step is a member of the new communicator.
type openMPI struct {
	*agreement
	own    ballot            // the vote, once the program has called it
	stages []*earlyReturning // begun here by this member or by messages of others
	now    int               // the one that the program is in
	step   int
	lost   numbers // who is left out, once that is agreed on
	made   identity
}

// The steps of Shrink.
const (
	whoHasFailed = iota
	whichIdentity
	isItFree
	readyToUse
)

func (o *openMPI) entered(own ballot) {
	o.own = own
	if own.purpose == forShrink {
		own.acked = own.failed
	}
	o.stage(0).enter(&own)
}

// stage finds an agreement, or begins it and all before it.
func (o *openMPI) stage(number int) *earlyReturning {
	for len(o.stages) <= number {
		e := newEarlyReturning(o.agreement)
		e.literal = true
		e.stage = uint32(len(o.stages))
		e.done = o.next
		o.stages = append(o.stages, e)
	}
	return o.stages[number]
}

func (o *openMPI) take(from int, kind mailbox.Kind, what uint32, payload string) {
	o.stage(int(what)).take(from, kind, what, payload)
}

func (o *openMPI) failed(member int) {
	for _, e := range o.stages {
		e.failed(member)
	}
}

// next is called with the decision of the agreement that the program is in.
func (o *openMPI) next(d *ballot) {
	verdict := *d
	if !verdict.reported {
		verdict.acked = verdict.failed // so nothing is
	}
	if !o.underWay() || o.own.purpose != forShrink {
		o.decided(&verdict)
		return
	}
	for member := range d.failed.all() {
		o.c.r.hear(o.c.group.process(member))
	}
	own := o.own
	own.failed = o.c.failedNumbers()
	own.acked = d.failed
	if !d.reported {
		switch o.step {
		case whoHasFailed:
			o.lost = d.failed
		case whichIdentity:
			o.made = d.made
		case readyToUse:
			verdict.failed, verdict.made = o.lost, o.made
			o.decided(&verdict)
			return
		}
		o.step++
		own.acked = own.failed // each step begins with what is known
	}
	o.now++
	next := o.stage(o.now)
	next.makes = o.step == whichIdentity
	next.enter(&own)
}

func (o *openMPI) waitsFor() (what string, members []int) { return o.stage(o.now).waitsFor() }

func (o *openMPI) against() string { return o.stage(o.now).against() }
