package conformance

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Revoke, Shrink and Agree.

var mpichRevokeNoFail = Case{
	Suite: MPICH, Name: "revoke_nofail", Ranks: 2, Faults: "none",
	Checks: "Barrier on a communicator that one rank revokes: ErrRevoked on both; it can be freed",
	Run: func(r *Rank) {
		dup, err := r.World.Dup()
		if !r.usable(r.World, "Dup", err) {
			return
		}
		if r.me == 1 {
			dup.Revoke()
		}
		// Rank 0 may hear of a failure of rank 1 before its revocation.
		r.note("Barrier", revokedUnless(dup, dup.Barrier()))
		dup.Free()
	},
	Differs: withAgree,
}

var mpichShrink = Case{
	Suite: MPICH, Name: "shrink", Ranks: 8, Faults: "crash:2@step:die",
	Checks: "Shrink leaves out the rank that has failed, and Barrier succeeds on what is left",
	Run: func(r *Rank) {
		if r.me == 2 {
			r.die()
		}
		small, err := r.World.Shrink()
		r.mustAlways("Shrink", err)
		r.same("members", small.Members())
		r.isUnless("size", small.Size(), 7)
		r.mustAll(small, "Barrier", small.Barrier())
		small.Free()
	},
}

var mpichAgree = Case{
	Suite: MPICH, Name: "agree", Ranks: 4, Faults: "crash:2@step:die",
	Checks: "Agree fails with ErrProcFailed until all have acknowledged the failure; its flags are good in both cases",
	Run: func(r *Rank) {
		if r.me == 2 {
			r.die()
		}
		for round := range 2 {
			flags, err := r.World.Agree(truth(r.me > 0))
			r.note(fmt.Sprintf("flags %d", round), flagsUnless(flags, 0))
			r.same(fmt.Sprintf("flags %d and error", round), fmt.Sprint(flags, err))
			if round == 0 {
				r.any(r.World, "Agree", err, failed)
			} else {
				r.must(r.World, "Agree after FailureAck", err, 0, 1, 3)
			}
			r.World.FailureAck()
		}
	},
}

var mpichAgreeShrink = Case{
	Suite: MPICH, Name: "agree_shrink", Ranks: 4, Faults: "crash:2@step:die",
	Checks: "Agree on a duplicate fails, Shrink of it succeeds, and Agree on that",
	Run: func(r *Rank) {
		dup, err := r.World.Dup()
		if !r.usable(r.World, "Dup", err) {
			return
		}
		if r.me == 2 {
			r.die()
		}
		_, err = dup.Agree(1)
		r.any(dup, "Agree", err, failed)
		small, err := dup.Shrink()
		r.mustAlways("Shrink", err)
		flags, err := small.Agree(1)
		r.is("flags", flags, 1)
		r.mustAll(small, "Agree on what is left", err)
		dup.Free()
		small.Free()
	},
	Differs: withAgree + "; in the original rank 2 may fail while others are still in a Dup with fatal errors",
}

var mpichRevokeShrink = Case{
	Suite: MPICH, Name: "revoke_shrink", Ranks: 4, Faults: "crash:1@step:die",
	Checks: "an error handler revokes and shrinks; sums on what is left are right again",
	Run: func(r *Rank) {
		all, err := r.World.Dup()
		if !r.usable(r.World, "Dup", err) {
			return
		}
		for i := range 10 {
			if i == 5 && r.me == 1 {
				r.die()
			}
			for {
				total, err := r.allreduce(all, 1, ulfm.Sum)
				r.any(all, "Allreduce", err, ok|failed|revoked)
				if err == nil {
					r.is("sum", total, all.Size())
				}
				// Who has the sum tells others that have none: all repeat it, or nobody.
				if flags, agreed := all.Agree(truth(err == nil)); agreed == nil && flags == 1 {
					break
				}
				all.Revoke()
				smaller, err := all.Shrink()
				r.mustAlways("Shrink", err)
				all.Free()
				all = smaller
			}
		}
		r.same("members", all.Members())
		r.isUnless("size", all.Size(), 3)
	},
	Differs: "as it is it cannot pass, on any MPI: the sum of the step in which the handler has shrunk the communicator is never made again, and ranks that notice the failure in different steps never meet again. " +
		"Here all agree after each sum, and repeat it after Shrink",
}

// agreed has all members agree that all is well.
func (r *Rank) agreed(c *ulfm.Comm, well bool) bool {
	flags, _ := c.Agree(truth(well))
	return flags == 1
}
