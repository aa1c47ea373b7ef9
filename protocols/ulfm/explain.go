package ulfm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// Lost is a rank of the machine that has failed, and when.
type Lost struct {
	Rank int
	At   clock.Time
	Hung bool
}

// Explain says why ranks wait for ever: who waits in which call for whom, why that one will not come, who knows of
// failures that have to do with it, and what MPI requires of programs there. Notes are those of all ranks, by rank;
// failed are those that have failed for good, and show writes instants as people read them. There is a sentence or two for
// each cause, up to eight of them.
func Explain(notes []Note, failed []Lost, show func(clock.Time) string) []string {
	e := explanation{notes: notes, lost: make(map[int]Lost), show: show}
	for _, f := range failed {
		e.lost[f.Rank] = f
	}
	for rank := range notes {
		if _, gone := e.lost[rank]; !gone && notes[rank].Call != "" {
			e.explain(rank)
		}
	}
	var lines []string
	for _, cause := range e.order {
		if len(lines) == mostCauses {
			lines = append(lines, fmt.Sprintf("and %d causes more", len(e.order)-mostCauses))
			break
		}
		ranks := e.waiters[cause]
		verb := "waits"
		if len(ranks) > 1 {
			verb = "wait"
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", namedRanks(ranks), verb, cause))
	}
	return lines
}

const mostCauses = 8

// explanation collects causes, and who waits because of each.
type explanation struct {
	notes   []Note
	lost    map[int]Lost
	show    func(clock.Time) string
	order   []string
	waiters map[string][]int
}

func (e *explanation) add(rank int, cause string) {
	if n := &e.notes[rank]; n.Unmatched != "" {
		cause += ". " + n.Unmatched
	}
	if e.waiters == nil {
		e.waiters = make(map[string][]int)
	}
	if len(e.waiters[cause]) == 0 {
		e.order = append(e.order, cause)
	}
	e.waiters[cause] = append(e.waiters[cause], rank)
}

// explain says why a rank waits. That it waits for others in the same call, who wait for others in turn, is no cause.
func (e *explanation) explain(rank int) {
	n := &e.notes[rank]
	where := fmt.Sprintf("in %s on %s", n.Call, n.Comm)
	if len(n.From) == 0 {
		e.add(rank, where+" for a message from any source, and nobody is going to send one. Whoever receives from any source has to know when to stop")
		return
	}
	for _, other := range n.From {
		o := &e.notes[other]
		target := strings.TrimPrefix(fmt.Sprintf("%s rank %d", n.For, other), " ")
		lost, gone := e.lost[other]
		switch {
		case n.Starting:
			e.add(rank, fmt.Sprintf("%s for rank %d, which is not started anew: Spawn waits for ranks that the schedule starts (rejoin:%d@t...)", where, other, other))
		case gone:
			e.add(rank, fmt.Sprintf("%s for %s, which %s", where, target, e.failure(lost, slices.Contains(n.Knows, other))))
		case n.Against != "":
			e.add(rank, fmt.Sprintf("%s for %s, which has called %s there. All members must call their agreements in the same order", where, target, n.Against))
		case o.Call == "" || o.Call == "Parent":
			e.add(rank, fmt.Sprintf("%s for %s, which lives and %s", where, target, e.elsewhere(n, o)))
		case o.Call == n.Call && o.Comm == n.Comm && (collective(n.Call) || !e.leadsTo(other, rank)):
		case e.lacks(n, o):
			e.add(rank, fmt.Sprintf("%s for %s, which %s", where, target, e.lacking(n, o)))
		case o.Comm == n.Comm && collective(n.Call) && collective(o.Call):
			e.add(rank, fmt.Sprintf("%s for %s, which is in %s there since %s. All members must call the collective operations of a communicator in the same order", where, target, o.Call, e.show(o.Since)))
		case o.Comm == n.Comm && !collective(n.Call) && !collective(o.Call) && e.leadsTo(other, rank):
			e.add(rank, fmt.Sprintf("%s for %s, which is in %s on %s since %s and waits for rank %d in turn. One of them has to send before it waits, or to do both at once (Sendrecv, Irecv)", where, target, o.Call, o.Comm, e.show(o.Since), rank))
		case e.leadsTo(other, rank):
			e.add(rank, fmt.Sprintf("%s for %s, which is in %s on %s since %s and waits for rank %d in turn. Communicators with members in common must be used in the same order by all of them", where, target, o.Call, o.Comm, e.show(o.Since), rank))
		case !collective(n.Call) && len(o.Errors) > 0:
			e.add(rank, fmt.Sprintf("%s for %s, which lives and %s", where, target, e.elsewhere(n, o)))
		}
	}
}

// failure says how a rank has failed, and who knows.
func (e *explanation) failure(lost Lost, known bool) string {
	how := "crashed"
	if lost.Hung {
		how = "hung"
	}
	text := fmt.Sprintf("%s at %s. ", how, e.show(lost.At))
	if known {
		return text + "It knows that, so the call should have ended: the algorithm does not stand this failure"
	}
	var who []int
	for rank := range e.notes {
		if _, gone := e.lost[rank]; !gone && slices.Contains(e.notes[rank].Knows, lost.Rank) {
			who = append(who, rank)
		}
	}
	switch {
	case len(who) > 0:
		text += fmt.Sprintf("It does not know that, %s", namedRanks(who))
		if len(who) == 1 {
			text += " does. "
		} else {
			text += " do. "
		}
	case lost.Hung:
		text += "Nobody knows that: the failure detector does not notice hangs. "
	default:
		text += "Nobody knows that. "
	}
	return text + "MPI ends calls only for failures that are detected"
}

// elsewhere says what a rank does that another one waits for, and what it should have done.
func (e *explanation) elsewhere(n, o *Note) string {
	var text string
	switch {
	case o.Call != "" && o.Call != "Parent":
		text = fmt.Sprintf("is in %s on %s since %s", o.Call, o.Comm, e.show(o.Since))
	case o.Returned >= 0:
		text = fmt.Sprintf("has returned from its program at %s", e.show(o.Returned))
	default:
		text = "is in no call"
	}
	if e.lacks(n, o) {
		return text + ", and " + e.lacking(n, o)
	}
	for i := len(o.Errors) - 1; i >= 0; i-- {
		if last := o.Errors[i]; last.Comm == n.Comm {
			return text + fmt.Sprintf(", after %s there had ended at %s with: %s. MPI ends the calls of others only if the rank they wait for has failed. A rank that gives up after an error has to Revoke the communicator", last.Call, e.show(last.At), last.Error)
		}
	}
	if collective(n.Call) {
		return text + fmt.Sprintf(" without having called %s. All members must call it", n.Call)
	}
	verb := "send"
	if n.For == receiveOf {
		verb = "receive"
	}
	return text + ". It has to " + verb + " before it goes on, or Revoke the communicator"
}

// lacks reports whether a rank does not have the communicator that another one waits on.
func (e *explanation) lacks(n, o *Note) bool {
	return n.Made.Call != "" && slices.ContainsFunc(o.Errors, func(x Ended) bool { return x.Made == n.Made })
}

func (e *explanation) lacking(n, o *Note) string {
	i := slices.IndexFunc(o.Errors, func(x Ended) bool { return x.Made == n.Made })
	failed := o.Errors[i]
	return fmt.Sprintf("does not have that communicator: its %s on %s failed at %s with: %s. A call that makes a communicator may fail on some members only, so a program has to Agree before it uses the new one",
		failed.Call, failed.Comm, e.show(failed.At), failed.Error)
}

// leadsTo reports whether one rank waits for another, over others.
func (e *explanation) leadsTo(from, to int) bool {
	seen := make(map[int]bool)
	for next := []int{from}; len(next) > 0; {
		rank := next[0]
		next = next[1:]
		if rank == to {
			return true
		}
		if !seen[rank] && e.notes[rank].Call != "" {
			seen[rank] = true
			next = append(next, e.notes[rank].From...)
		}
	}
	return false
}

// collective reports whether all members must make a call.
func collective(call string) bool {
	switch call {
	case "Recv", "RecvPart", "Probe", "Sendrecv", "Wait", "Waitany", "Waitall", "Irecv", "Ssend", "Issend":
		return false
	}
	return true
}

// namedRanks names ranks, those that follow each other by the first and the last.
func namedRanks(ranks []int) string {
	var parts []string
	for i := 0; i < len(ranks); {
		j := i
		for j+1 < len(ranks) && ranks[j+1] == ranks[j]+1 {
			j++
		}
		switch {
		case j > i+1:
			parts = append(parts, fmt.Sprintf("%d to %d", ranks[i], ranks[j]))
		case j > i:
			parts = append(parts, fmt.Sprint(ranks[i]), fmt.Sprint(ranks[j]))
		default:
			parts = append(parts, fmt.Sprint(ranks[i]))
		}
		i = j + 1
	}
	if len(ranks) == 1 {
		return "rank " + parts[0]
	}
	text := parts[len(parts)-1]
	if len(parts) > 1 {
		text = strings.Join(parts[:len(parts)-1], ", ") + " and " + text
	}
	return "ranks " + text
}
