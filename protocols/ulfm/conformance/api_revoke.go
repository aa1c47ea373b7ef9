package conformance

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Revoke, and Shrink after it.

var apiRevoke = Case{
	Suite: API, Name: "revoke", Ranks: 4, Faults: "crash:2@step:die",
	Checks: "Revoke ends a Barrier while messages are under way, on a communicator and on one between two groups; a loop of failing Barriers ends by it",
	Run: func(r *Rank) {
		r.revokeAmidMessages()
		r.revokeBetweenGroups()
		r.revokeEndsALoop()
	},
	Explored: Exploration{Only: []int{1, 2, 3}, Why: "without rank 0 nobody revokes, and the loop of the last part goes on for ever, as it is written"},
	Differs:  withAgree,
}

// revokeAmidMessages: rank 0 revokes while the others have messages under way that nobody receives.
func (r *Rank) revokeAmidMessages() {
	dup, err := r.World.Dup()
	if r.usable(r.World, "Dup", err) {
		if r.me == 0 {
			dup.Revoke()
		} else {
			send := dup.Isend((r.me+1)%4, 0, words)
			receive := dup.Irecv((r.me+3)%4, 0)
			r.note("Barrier", revokedUnless(dup, dup.Barrier()))
			_, err := receive.Wait()
			r.any(dup, "Wait for a message", err, ok|failed|revoked)
			_, err = send.Wait()
			r.any(dup, "Wait for a send", err, ok|failed|revoked)
		}
		dup.Free()
	}
	r.mustAll(r.World, "Barrier of the world", r.World.Barrier())
}

// revokeBetweenGroups: rank 0 revokes what connects the two halves.
func (r *Rank) revokeBetweenGroups() {
	upper := truth(r.me >= 2)
	half, err := r.World.Split(int(upper), r.me)
	if r.usable(r.World, "Split", err) {
		inter, err := half.IntercommCreate(0, r.World, 2-2*int(upper), 7)
		if r.usable(r.World, "IntercommCreate", err) {
			if r.me == 0 {
				inter.Revoke()
			} else {
				r.note("Barrier of two groups", revokedUnless(r.World, inter.Barrier()))
			}
		}
	}
	r.mustAll(r.World, "Barrier of the world", r.World.Barrier())
}

// revokeEndsALoop: all repeat a Barrier that fails, until it is revoked.
func (r *Rank) revokeEndsALoop() {
	dup, err := r.World.Dup()
	if !r.usable(r.World, "Dup", err) {
		return
	}
	r.any(dup, "Barrier before", dup.Barrier(), ok|failed|revoked) // others may be ahead
	if r.me == 2 {
		r.die()
	}
	for {
		err := dup.Barrier()
		r.any(dup, "Barrier in a loop", err, ok|failed|revoked)
		if classOf(err) == revoked {
			break
		}
		if r.me == 0 && err != nil {
			dup.Revoke()
		}
	}
	dup.Free()
}

var apiRevShrink = Case{
	Suite: API, Name: "revshrink", Ranks: 4, Faults: "none",
	Checks: "again and again: Revoke amid messages, Shrink, Barrier on the new communicator",
	Run: func(r *Rank) {
		all, err := r.World.Dup()
		if !r.usable(r.World, "Dup", err) {
			return
		}
		for i := range 5 {
			me, size := all.Rank(), all.Size()
			if me == 0 {
				all.Revoke()
			} else {
				send, receive := all.Isend((me+1)%size, 0, words), all.Irecv((me+size-1)%size, 0)
				err := all.Barrier()
				r.note("Barrier", revokedUnless(all, err))
				if classOf(err) == failed {
					all.Revoke()
				}
				_, err = receive.Wait()
				r.any(all, "Wait for a message", err, ok|failed|revoked)
				_, err = send.Wait()
				r.any(all, "Wait for a send", err, ok|failed|revoked)
			}
			small, err := all.Shrink()
			r.mustAlways("Shrink", err)
			all.Free()
			all = small
			r.same(fmt.Sprintf("members %d", i), all.Members())
			r.isUnless("size", all.Size(), 4)
			r.mustUnless("Barrier on the new one", all.Barrier(), failed|revoked, r.World.Members()) // others may be ahead
			r.mustAll(r.World, "Barrier of the world", r.World.Barrier())
		}
	},
	Differs: withAgree + "; five times instead of a hundred",
}

var apiRevShrinkKill = Case{
	Suite: API, Name: "revshrinkkill", Ranks: 4, Faults: "crash:1@step:die,crash:2@step:die,crash:3@step:die",
	Checks: "Barriers while one rank after the other fails: Revoke and Shrink, until rank 0 is alone",
	Run: func(r *Rank) {
		all, err := r.World.Dup()
		if !r.usable(r.World, "Dup", err) {
			return
		}
		for i := 0; all.Size() > 1; i++ {
			if r.me > 0 && i >= 4*r.me {
				r.die()
			}
			err := all.Barrier()
			r.any(all, "Barrier", err, ok|failed|revoked)
			if err == nil {
				continue
			}
			if classOf(err) == failed {
				all.Revoke()
			}
			small, err := all.Shrink()
			r.mustAlways("Shrink", err)
			all = small
		}
		r.note("who is left", func(h *history, at clock.Time) string {
			if h.more(at) {
				return ""
			}
			return differs(r.me, 0)
		})
	},
	Differs: withAgree + "; who fails when is in the schedule, not drawn",
}

var apiShrink = Case{
	Suite: API, Name: "shrink", Ranks: 4, Faults: "crash:2@step:die,crash:3@step:die",
	Checks: "Shrink without a failure, with one, and Ishrink with an old and a new one, each followed by a Barrier; Agree with failed members",
	Run: func(r *Rank) {
		world := r.World
		whole, err := world.Shrink()
		r.mustAlways("Shrink", err)
		r.isUnless("compared with world", whole.Compare(world), ulfm.Congruent)
		r.mustAll(whole, "Barrier", whole.Barrier())
		r.any(world, "Barrier before", world.Barrier(), ok|failed)
		if r.me == 3 {
			r.die()
		}
		small, err := world.Shrink()
		r.mustAlways("Shrink", err)
		r.same("members without 3", small.Members())
		r.isUnless("size", small.Size(), 3)
		r.mustAll(small, "Barrier", small.Barrier())
		whole.Free()
		small.Free()

		request := world.Ishrink()
		r.any(world, "Barrier amid Ishrink", world.Barrier(), failed)
		_, err = request.Wait()
		r.mustAlways("Ishrink, Wait", err)
		old := request.Comm()
		r.isUnless("size", old.Size(), 3)
		r.mustAll(old, "Barrier", old.Barrier())
		if r.me == 2 {
			r.die()
		}
		request = world.Ishrink()
		_, err = request.Wait()
		r.mustAlways("Ishrink, Wait", err)
		fresh := request.Comm()
		r.same("members in the end", fresh.Members())
		r.isUnless("size", fresh.Size(), 2)
		r.mustAll(fresh, "Barrier", fresh.Barrier())
		old.Free()
		fresh.Free()
		flags, err := world.Agree(0)
		r.is("flags", flags, 0)
		r.any(world, "Agree", err, failed)
	},
}
