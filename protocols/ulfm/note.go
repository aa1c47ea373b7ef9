package ulfm

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// Note is what a rank was in the middle of when a run ended, as far as it knows itself. Notes of all ranks
// together explain a deadlock; see [Explain].
type Note struct {
	// Call is the call that the rank waits in, "" if it waits in none, and Comm the communicator. Text is what
	// [Diary.Waiting] says.
	Call, Comm, Text string
	Since            clock.Time
	// For is what it waits for, such as "the vote of", and From the ranks of the machine that it waits for; nil: any.
	For  string
	From []int
	// Unmatched tells of a message that is there and has another tag than the receive.
	Unmatched string
	// Against is what the rank it waits for has called instead.
	Against string
	// Starting says that these ranks are to be started anew.
	Starting bool
	// Made is how the communicator came about.
	Made Making
	// Returned is when the program of the rank has returned, or -1.
	Returned clock.Time
	// Knows are those of the ranks that have failed of which it knows that, ascending.
	Knows []int
	// Errors are those that calls have ended with, the last ones, in order.
	Errors []Ended
}

// Making is the call that makes a communicator: its number among those of the parent. The zero value is no such call.
type Making struct {
	Call, Parent string
	Number       int64
}

// Ended is a call that has ended with an error.
type Ended struct {
	Call, Comm string
	At         clock.Time
	Error      string
	Made       Making // if it was to make a communicator
}

// ended is what a rank remembers of such a call.
type ended struct {
	call   string
	c      *Comm
	at     clock.Time
	err    error
	number int64
}

// mostEnded is how many a rank remembers.
const mostEnded = 3

// remember notes an error, if somebody will ask.
func (c *Comm) remember(err error) {
	r := c.r
	if r.options.Diary == nil {
		return
	}
	if len(r.ended) == mostEnded {
		r.ended = slices.Delete(r.ended, 0, 1)
	}
	r.ended = append(r.ended, ended{r.call, c, r.Now(), err, int64(c.created)})
}

// Note is what a rank was in the middle of, and which of some ranks it knows to have failed, given in
// ascending order. It may be asked when the run is over.
func (d *Diary) Note(machineRank int, failed []int) Note {
	r := d.ranks[machineRank]
	if r == nil {
		return Note{Returned: -1}
	}
	r.noting = true
	defer func() { r.noting = false }()
	n := r.doing.note()
	n.Returned = r.returned - 1
	for _, rank := range failed {
		if r.failures(rank) > 0 || slices.ContainsFunc(r.told, func(t toldFailure) bool { return t.rank == rank }) {
			n.Knows = append(n.Knows, rank)
		}
	}
	for _, e := range r.ended {
		n.Errors = append(n.Errors, Ended{e.call, e.c.String(), e.at, e.err.Error(), e.making()})
	}
	return n
}

// making says which communicator the call was to make.
func (e ended) making() Making {
	switch e.call {
	case "Create", "Dup", "Split", "Merge", "IntercommCreate":
		return Making{e.call, e.c.String(), e.number}
	}
	return Making{}
}

// receive is the one that a call waits for; nil if that is something else.
func (d doing) receive() *Request {
	switch blocking := &d.c.r.blocking; {
	case d.request != nil:
		return d.request
	case blocking.c == d.c && blocking.call == d.call && !blocking.over:
		return blocking
	}
	return nil
}

// receiveOf is what a synchronous send waits for.
const receiveOf = "a receive of"

// wants is what a call waits for.
func (r *Request) wants() string {
	if r != nil && r.kind == taken {
		return receiveOf
	}
	return "a message from"
}

// unmatched tells of a message from whom the receive waits for that has another tag: the commonest mistake of those who wait for one that
// has been sent.
func (r *Request) unmatched() string {
	if r == nil || r.kind != data || r.operation != nil || r.agreement != nil {
		return ""
	}
	every := Request{c: r.c, kind: data, from: r.from, source: r.source, tag: AnyTag}
	if i := r.c.arrived.find(&every); i >= 0 {
		e := r.c.arrived.waiting()[i]
		return fmt.Sprintf("There is a message from rank %d with tag %d, which does not match: the receive wants tag %d", e.from, e.m.A, r.tag)
	}
	return ""
}

// note is what a call waits for.
func (d doing) note() (n Note) {
	if d.c == nil {
		return n
	}
	n = Note{Call: d.call, Comm: d.c.String(), Text: d.String(), Since: d.c.r.began}
	if made := d.c.extra.making; made != nil {
		n.Made = *made
	}
	a := d.agreement
	if a == nil && d.request != nil {
		a = d.request.agreement
	}
	var members []int
	switch {
	case d.newcomer > 0:
		n.For, n.From, n.Starting = "", []int{int(d.newcomer) - 1}, true
		return n
	case a != nil:
		n.For, members = a.how.waitsFor()
		n.Against = a.how.against()
	case d.request != nil && d.request.operation != nil:
		members = d.request.operation.waitsFor()
	case d.request != nil && d.request.from >= 0:
		n.For, members = d.request.wants(), []int{d.request.from}
	case d.peer >= 0:
		n.For, members = d.receive().wants(), []int{int(d.peer)}
	}
	n.Unmatched = d.receive().unmatched()
	for _, member := range members {
		n.From = append(n.From, d.c.group.machineRank(member))
	}
	slices.Sort(n.From)
	return n
}
