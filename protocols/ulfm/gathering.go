package ulfm

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// gatherer is the algorithm Gathering at work, as MPICH's source (ch3) has it.
//
// Agree: all send the failures that they know of to member 0, which takes them in the order of members,
// sends the union back in that order, and passes over those that have failed. Those who are
// left reduce twice over this group, by recursive doubling: whether everybody has got the union and had
// acknowledged just these failures; then that and the flags. A member that meets a failure in
// a reduction leaves it at once.
//
// Shrink: the same union; a reduction that makes the communicator; one on whether all have it. If not
// all do it begins again, and gives up after the fifth time.
//
// Nobody remembers what was decided, and nobody begins again in Agree: the messages of a member that has left a reduction
// are the ones of the next, and its peers take them for those that they wait for. Memory that nobody
// has written to, such as the union of a member that gets none as member 0 has failed, is 0 here.
// MPICH has one tag for all agreements, so what is left over of one may get into the next; here it does not.
type gatherer struct {
	*agreement
	own     ballot         // the vote, once the program has called it
	came    map[int][]note // messages that were not taken yet, of each sender in order
	from    int            // whose message is awaited
	then    func(note, bool)
	union   numbers
	left    group // those who are not in the union
	partial bool  // this member has not got the union
	attempt int
}

// note is what one message of this algorithm says.
type note struct {
	inError bool // its sender has met a failure
	values  []int64
	failed  numbers
}

// mostAttempts is how often Shrink tries.
const mostAttempts = 5

func newGathering(a *agreement) *gatherer { return &gatherer{agreement: a, came: make(map[int][]note)} }

func (g *gatherer) entered(own ballot) {
	g.own = own
	g.gather()
	g.run()
}

// gather is the star. What follows it depends on what was called.
func (g *gatherer) gather() {
	known := g.c.failedNumbers()
	if g.c.me == 0 {
		g.union = known
		g.collect(1)
		return
	}
	g.send(0, note{failed: known})
	g.receive(0, func(n note, ok bool) {
		g.union, g.partial = n.failed, !ok
		g.gathered()
	})
}

// collect takes the failures of a member and of those behind it, and sends the union to all.
func (g *gatherer) collect(member int) {
	if member < g.c.Size() {
		g.receive(member, func(n note, ok bool) {
			if ok {
				g.union = g.union.union(n.failed)
			}
			g.collect(member + 1)
		})
		return
	}
	for to := 1; to < g.c.Size(); to++ {
		g.send(to, note{failed: g.union})
	}
	g.gathered()
}

// gathered goes on with those who are left.
func (g *gatherer) gathered() {
	all := wholeGroup(g.c.Size())
	g.left = all.without(g.union)
	switch {
	case g.union.has(g.c.me):
		g.end(0, false)
	case g.own.purpose == forShrink:
		g.make()
	default:
		g.agree()
	}
}

// agree reduces twice.
func (g *gatherer) agree() {
	good := int64(1)
	if g.partial || g.union != g.own.acked {
		good = 0
	}
	g.reduce([]int64{good}, g.partial, func(all []int64, ok bool) {
		good := int64(0)
		if ok && !g.partial {
			good = all[0]
		}
		values := []int64{good, g.own.flags}
		if g.own.purpose == forCreate { // then all must have the same error, also if one knows of a revocation
			values = append(values, agreeTo(!g.own.revoked))
		}
		g.reduce(values, g.partial, func(all []int64, _ bool) {
			g.own.revoked = len(all) > 2 && all[2] == 0
			g.end(all[1], all[0] != 0)
		})
	})
}

// make tries to make a communicator of those who are left: the first of them gives it an identity. That comes twice, so that
// what is left of it is no other one if a message of the next reduction gets in.
func (g *gatherer) make() {
	g.attempt++
	own := int64(-1)
	if first := g.left.index(0); first == g.c.me {
		own = int64(g.c.r.newIdentity())
	}
	g.reduce([]int64{own, own}, false, func(all []int64, ok bool) {
		made, good := all[0], int64(1)
		if !ok || made <= 0 || made != all[1] {
			good = 0
		}
		g.reduce([]int64{good}, false, func(all []int64, _ bool) {
			switch {
			case all[0] != 0:
				g.finish(&ballot{purpose: forShrink, flags: g.own.flags, made: identity(made), failed: g.union})
			case g.attempt == mostAttempts:
				g.finish(&ballot{purpose: forShrink, failed: g.union, reported: true})
			default:
				g.gather()
			}
		})
	})
}

// reduce puts the values of all who are left together, bit by bit, and hands them to all. If the
// number of members is no power of two, the first ones come together in pairs before and after.
func (g *gatherer) reduce(values []int64, inError bool, then func(all []int64, ok bool)) {
	place, _ := g.left.member(g.c.me)
	size := g.left.len()
	power := 1
	for 2*power <= size {
		power *= 2
	}
	r := &reduction{gatherer: g, values: slices.Clone(values), inError: inError, then: then, power: power, pairs: size - power, place: place}
	r.begin()
}

// reduction is one of the two.
type reduction struct {
	*gatherer
	values  []int64
	inError bool
	then    func(all []int64, ok bool)
	power   int // of two, up to the number of members
	pairs   int // of members that come together before
	place   int // of this member among those who are left
}

func (r *reduction) begin() {
	switch {
	case r.place >= 2*r.pairs:
		r.double(r.place-r.pairs, 1)
	case r.place%2 == 0:
		if !r.pass(r.place + 1) {
			r.then(r.values, false)
			return
		}
		r.take(r.place+1, func(n note) {
			r.values = n.padded(len(r.values))
			r.then(r.values, true)
		})
	default:
		r.take(r.place-1, func(n note) {
			r.put(n)
			r.double(r.place/2, 1)
		})
	}
}

// double exchanges values with the member at a distance, and at the next power of two.
func (r *reduction) double(at, distance int) {
	if distance == r.power {
		ok := r.place >= 2*r.pairs || r.pass(r.place-1)
		r.then(r.values, ok && !r.inError)
		return
	}
	peer := at ^ distance
	if peer < r.pairs {
		peer = 2*peer + 1
	} else {
		peer += r.pairs
	}
	if !r.pass(peer) {
		r.then(r.values, false)
		return
	}
	r.take(peer, func(n note) {
		r.put(n)
		r.double(at, 2*distance)
	})
}

// put puts what has come to the values.
func (r *reduction) put(n note) {
	for i, value := range n.padded(len(r.values)) {
		r.values[i] &= value
	}
}

// pass sends the values to one of those who are left; not if it is known to have failed.
func (r *reduction) pass(place int) bool {
	return r.send(r.left.index(place), note{inError: r.inError, values: r.values})
}

// take waits for values of one of those who are left. A failure ends the reduction.
func (r *reduction) take(place int, then func(note)) {
	r.receive(r.left.index(place), func(n note, ok bool) {
		if !ok || n.inError || len(n.values) > len(r.values) { // the last is of the next reduction
			r.then(r.values, false)
			return
		}
		then(n)
	})
}

// end is that of Agree.
func (g *gatherer) end(flags int64, good bool) {
	verdict := &ballot{purpose: g.own.purpose, flags: flags, failed: g.union, acked: g.union}
	if !good {
		verdict.acked, verdict.reported = g.own.acked, true
	}
	g.finish(verdict)
}

// finish is the end of any. Others may be in the call still, so nothing is said of what they have gone on from.
func (g *gatherer) finish(verdict *ballot) {
	verdict.revoked, verdict.busy, verdict.since = g.own.revoked, true, g.own.since
	g.came = nil
	g.decided(verdict)
}

// send sends a message, unless its receiver is known to have failed.
func (g *gatherer) send(to int, n note) bool {
	if !g.c.alive(to) {
		return false
	}
	g.say(to, vote, 0, n.encode())
	return true
}

// receive waits for a message of a member, or for its failure.
func (g *gatherer) receive(from int, then func(n note, ok bool)) { g.from, g.then = from, then }

// run goes on as far as it can.
func (g *gatherer) run() {
	for g.then != nil && g.verdict == nil {
		var n note
		came := g.came[g.from]
		switch {
		case len(came) > 0:
			n, g.came[g.from] = came[0], came[1:]
		case g.c.alive(g.from):
			g.c.r.watch(g.c.group.machineRank(g.from))
			return
		}
		then := g.then
		g.then = nil
		then(n, len(came) > 0)
	}
}

func (g *gatherer) take(from int, _ mailbox.Kind, _ uint32, payload string) {
	if g.verdict != nil {
		return
	}
	g.came[from] = append(g.came[from], readNote(payload))
	g.run()
}

func (g *gatherer) failed(int) { g.run() }

// waitsFor says for what, in words.
func (g *gatherer) waitsFor() (what string, members []int) { return "a message of", []int{g.from} }

func (g *gatherer) against() string { return "" }

// padded are the values, as many as there is memory for.
func (n note) padded(length int) []int64 {
	values := make([]int64, length)
	copy(values, n.values)
	return values
}

func (n note) encode() string {
	first := 2 * len(n.values)
	if n.inError {
		first++
	}
	buffer := varint.Append(nil, first)
	for _, value := range n.values {
		buffer = varint.AppendSigned(buffer, value)
	}
	return string(append(buffer, n.failed...))
}

func readNote(payload string) (n note) {
	r := varint.Reader{Rest: payload}
	first := r.Number()
	n.inError = first%2 == 1
	for range first / 2 {
		n.values = append(n.values, r.Signed())
	}
	n.failed = numbers(r.Rest)
	return n
}
