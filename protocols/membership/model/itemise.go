package model

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// Itemise says what the last view change of a root has consisted of. Records are those of all
// ranks, at the end of a run on that machine and network; nil stands for the network of the
// machine's own latency. The root must have completed the change, and not have taken part in
// another's since.
//
// All instants of the path are in the records, and every item is one interval between two of
// them, or what is left of it after the costs of a message. So the items add up to the measured
// time, whatever has happened: the time begins when the root turns to the news, which is its
// Learnt, and ends when it has nobody left to wait for, which is its Acknowledged.
//
//	n  Learnt  Compute  Computed                              Heard  Acknowledged
//	                            \ Sends, way down      way up /
//	c                             Learnt  ...  Acknowledged
//
// The path ends early where the child that was waited for longest did not take part: it was
// given up, had acknowledged a later change already, or has taken part in one since. All time
// from the computation on is waiting then.
func Itemise(records []membership.Record, root int, machine clock.LogP, network clock.Network) (Items, error) {
	if root < 0 || root >= len(records) || !led(&records[root]) {
		return Items{}, fmt.Errorf("model: root = %d, want one of ranks 0 to %d whose last view change is one that it has led to its end", root, len(records)-1)
	}
	if network == nil {
		network = clock.Uniform(machine.Latency)
	}
	p := path{records: records, costs: machine.Costs(), network: network}
	p.follow(root)
	return p.items, nil
}

// led reports whether the last change a rank took part in is one that it has led to its end.
func led(r *membership.Record) bool {
	if r.Last.Parent >= 0 || len(r.Led) == 0 {
		return false
	}
	return r.Led[len(r.Led)-1].At == r.Last.Acknowledged
}

// path is what has been added up on the way down.
type path struct {
	records []membership.Record
	costs   clock.Costs
	network clock.Network
	items   Items
}

// follow adds up the path from a rank on.
func (p *path) follow(rank int) {
	for {
		here := &p.records[rank].Last
		p.items.Compute += here.Computed - here.Learnt
		there, ok := p.slowest(rank)
		if !ok {
			p.items.Waits += here.Acknowledged - here.Computed
			return
		}
		p.level(here, there, p.wayDown(rank), p.wayUp(rank))
		rank = here.Slowest
	}
}

// slowest is the change in the child that a rank has waited for longest, if the two have
// handed it down and acknowledged it.
func (p *path) slowest(rank int) (there *membership.Passage, ok bool) {
	here := &p.records[rank].Last
	if here.Slowest < 0 {
		return nil, false
	}
	there = &p.records[here.Slowest].Last
	same := there.Changes == here.Changes && there.Parent == rank
	complete := there.Acknowledged >= there.Learnt
	heard := there.Acknowledged+p.wayUp(rank).Total() <= here.Heard
	return there, same && complete && heard
}

// level adds what has passed between a rank and its child. The ways are what it takes at least;
// if the rank was not done yet with its last messages, or the child with others', it took
// longer. After the last acknowledgement a rank may go on waiting for somebody who has failed.
func (p *path) level(here, there *membership.Passage, down, up Items) {
	p.items.Levels++
	for _, way := range []Items{down, up} {
		p.items.Sends += way.Sends
		p.items.Bytes += way.Bytes
		p.items.Overheads += way.Overheads
		p.items.Latency += way.Latency
	}
	p.items.Waits += there.Learnt - here.Computed - down.Total()
	p.items.Waits += here.Heard - there.Acknowledged - up.Total()
	p.items.Waits += here.Acknowledged - here.Heard
}
