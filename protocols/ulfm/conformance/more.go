package conformance

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Neighbours of the suites that check something else: MPICH's get_failed, and what ICL's benchmarks and older tutorials check.

var moreGetFailed = Case{
	Suite: More, Name: "mpich/get_failed", Ranks: 3, Faults: "crash:1@step:die,crash:2@step:die",
	Checks: "a program that calls nothing but GetFailed learns of failures, in the order in which they become known",
	Run: func(r *Rank) {
		world := r.World
		switch r.me {
		case 0:
			var known []int
			for !slices.Contains(known, 1) {
				known = world.GetFailed()
			}
			r.note("GetFailed", onlyOwn(known, 1))
			_, err := world.Recv(2, 0)
			r.must(world, "Recv from 2", err, 2)
			for !slices.Contains(known, 2) {
				before := known
				known = world.GetFailed()
				r.is("GetFailed begins with what it was", known[:len(before)], before)
			}
			r.isUnless("GetFailed in the end", known, []int{1, 2})
		case 1:
			r.die()
		case 2:
			r.must(world, "Ssend", world.Ssend(0, 0, words), 0)
			r.die()
		}
	},
}

var moreBenchAgree = Case{
	Suite: More, Name: "icl/benchagree", Ranks: 8, Faults: "crash:3@step:die,crash:6@step:die",
	Checks: "Agree succeeds before a failure; afterwards it fails until all have acknowledged, then it succeeds for good",
	Run: func(r *Rank) {
		world := r.World
		for range 2 {
			_, err := world.Agree(1)
			r.mustAll(world, "Agree before", err)
		}
		if r.me == 3 || r.me == 6 {
			r.die()
		}
		errs := 0
		for ; ; errs++ {
			flags, err := world.Agree(1)
			r.is("flags", flags, 1)
			if err == nil {
				break
			}
			r.any(world, "Agree", err, failed)
			world.FailureAck()
		}
		r.is("the failures were reported", errs > 0, true)
		r.same("how often", errs)
		for range 2 {
			_, err := world.Agree(1)
			r.must(world, "Agree after", err, others(world, 3, 6)...)
		}
	},
}

var moreBenchIshrink = Case{
	Suite: More, Name: "icl/benchishrink", Ranks: 6, Faults: "crash:4@step:die",
	Checks: "Ishrink of several communicators at once, with messages between them, before and after a failure",
	Run: func(r *Rank) {
		var dups []*ulfm.Comm
		for range 3 {
			dup, err := r.World.Dup()
			if !r.usable(r.World, "Dup", err) {
				return
			}
			dups = append(dups, dup)
		}
		for round := range 2 {
			var requests []*ulfm.Request
			for _, dup := range dups {
				requests = append(requests, dup.Ishrink())
				_, err := dup.Sendrecv((r.me+1)%6, 0, words, (r.me+5)%6, 0)
				r.any(dup, "Sendrecv", err, ok|failed)
			}
			for i, request := range requests {
				_, err := request.Wait()
				r.mustAlways("Ishrink, Wait", err)
				r.same(fmt.Sprintf("members %d %d", round, i), request.Comm().Members())
				r.isUnless("size", request.Comm().Size(), 6-round)
			}
			if round == 0 && r.me == 4 {
				r.die()
			}
		}
	},
	Differs: withAgree,
}

var moreBenchRevoke = Case{
	Suite: More, Name: "icl/benchrevoke", Ranks: 6, Faults: "none",
	Checks: "one rank revokes between Allreduces: ErrRevoked on all; another communicator is not concerned",
	Run: func(r *Rank) {
		one, err := r.World.Dup()
		if !r.usable(r.World, "Dup", err) {
			return
		}
		other, err := r.World.Dup()
		if !r.usable(r.World, "Dup", err) {
			return
		}
		_, err = r.allreduce(one, 1, ulfm.Sum)
		r.mustUnless("Allreduce", err, failed|revoked, one.Members()) // others may be ahead
		if r.me == 5 {
			one.Revoke()
		}
		_, err = r.allreduce(one, 1, ulfm.Sum)
		r.note("Allreduce after Revoke", revokedUnless(one, err))
		total, err := r.allreduce(other, 1, ulfm.Sum)
		if r.well(other, "Allreduce on the other", err) {
			r.is("sum", total, 6)
		}
	},
	Differs: withAgree,
}

var moreBenchRecvAny = Case{
	Suite: More, Name: "icl/benchdetect_recvany", Ranks: 8, Faults: "crash:2@step:die,crash:5@step:die,crash:7@step:die",
	Checks: "Recv from any source fails for each new failure, until all are acknowledged",
	Run: func(r *Rank) {
		if r.me == 2 || r.me == 5 || r.me == 7 {
			r.die()
		}
		for acked := 0; acked < 3; {
			_, err := r.World.Recv(ulfm.AnySource, 0)
			r.any(r.World, "Recv", err, failed)
			r.World.FailureAck()
			now := len(r.World.GetAcked())
			r.is("more are acknowledged", now > acked, true)
			acked = now
		}
	},
}

var moreRecvDeadlock = Case{
	Suite: More, Name: "icl/ex0.8.recv_deadlock", Ranks: 5, Faults: "crash:0@step:die", Ending: Deadlocks,
	Checks: "a chain of messages whose first rank fails: the second leaves with an error and tells nobody, the others wait for ever",
	Run: func(r *Rank) {
		if r.me == 0 {
			r.die()
		}
		if _, err := r.World.Recv(r.me-1, 0); err == nil && r.me < 4 {
			_ = r.World.Send(r.me+1, 0, words)
		}
	},
	Explored: Exploration{None: true, Why: "it is wrong with the failure that it has"},
	Wrong:    "deadlock: each rank is in Recv with one that has finished",
}

var moreSpares = Case{
	Suite: More, Name: "icl/ex3.1.shrinkspares", Ranks: 7, Faults: "crash:2@step:die",
	Checks:  "growing without new processes: spare ranks wait in an Agree with all, and take the places of those who have failed",
	Run:     func(r *Rank) { r.withSpares(5) },
	Differs: "four rounds; the places of those who have failed are worked out by all instead of sent by one",
}

// withSpares computes on so many ranks, and has all others wait until they are needed.
func (r *Rank) withSpares(strength int) {
	places := make([]int, strength) // who works in which place, ranks of the machine
	for i := range places {
		places[i] = i
	}
	all, done := r.World, false
	for !done {
		var members []int
		for _, machineRank := range places {
			member, _ := all.Member(machineRank)
			members = append(members, member)
		}
		team, err := all.Create(members)
		r.mustUnless("Create", err, failed|revoked, all.Members())
		complete := r.agreed(all, err == nil)
		if place := slices.Index(places, r.me); complete && place >= 0 {
			complete = r.rounds(team, place)
		}
		// Spare ranks wait here.
		flags, err := all.Agree(truth(complete))
		if done = flags == 1 && err == nil; done {
			break
		}
		small, err := all.Shrink()
		r.mustAlways("Shrink", err)
		all, places = small, r.filled(small, places)
	}
	r.same("places", places)
	r.isUnless("places", places, []int{0, 1, 5, 3, 4})
}

// rounds is what those who have a place compute, and whether they have come to its end.
func (r *Rank) rounds(team *ulfm.Comm, place int) bool {
	r.is("rank", team.Rank(), place)
	for round := range 4 {
		if r.me == 2 && round == 2 {
			r.die()
		}
		total, err := r.allreduce(team, int64(place), ulfm.Sum)
		r.any(team, "Allreduce", err, ok|failed|revoked)
		if err != nil {
			team.Revoke()
			return false
		}
		r.is("sum "+strconv.Itoa(round), total, 10)
	}
	return true
}

// filled gives the places of those who have failed to spare ranks, in the order of their ranks.
func (r *Rank) filled(all *ulfm.Comm, places []int) []int {
	free := slices.DeleteFunc(all.Members(), func(machineRank int) bool { return slices.Contains(places, machineRank) })
	next := slices.Clone(places)
	for i, machineRank := range places {
		if _, there := all.Member(machineRank); there {
			continue
		}
		if len(free) == 0 {
			all.Abort(1)
		}
		next[i], free = free[0], free[1:]
	}
	return next
}
