package conformance

import "github.com/mangrove-emu/mangrove/protocols/ulfm"

// Blocks that all ranks come to the end of, or none: tutorial 13.

var tutorialTransactions = Case{
	Suite: Tutorial, Name: "13.transactions", Ranks: 10, Faults: "crash:9@step:die",
	Checks: "a block ends with an Agree: if it was interrupted on one rank, all take the other branch; a block around it is not concerned",
	Run: func(r *Rank) {
		inner := false
		outer := r.block(r.World, func() bool {
			dup, err := r.World.Dup()
			if !r.usable(r.World, "Dup", err) {
				return false
			}
			inner = r.block(dup, func() bool {
				if r.me == 9 {
					r.die()
				}
				err := dup.Barrier()
				r.any(dup, "Barrier", err, failed|revoked)
				return err == nil
			})
			r.same("inner block", inner)
			r.is("inner block", inner, false)
			dup.Free()
			return true
		})
		r.same("outer block", outer)
		r.isUnless("outer block", outer, true)
	},
	Differs: withAgree + "; Go has no longjmp: a block is a function that returns whether it was interrupted, and all of them call its Agree (in the original only those that were not interrupted do)",
}

// block runs a block and has all members agree on whether it was interrupted anywhere.
func (r *Rank) block(c *ulfm.Comm, do func() bool) bool {
	done := do()
	if !done {
		c.Revoke()
	}
	return r.agreed(c, done)
}
