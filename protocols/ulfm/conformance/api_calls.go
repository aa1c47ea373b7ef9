package conformance

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// That the calls are there, and what they do without a failure.

var apiInitErrhInfo = Case{
	Suite: API, Name: "init_errh_info", Ranks: 4, Faults: "none",
	Checks: "the error handler that programs begin with returns errors",
	Run: func(r *Rank) {
		dup, err := r.World.Dup()
		if !r.usable(r.World, "Dup", err) {
			return
		}
		dup.Revoke()
		r.any(dup, "Barrier", dup.Barrier(), revoked|failed)
	},
	Differs: "there is no launcher that could choose another one: a program does (SetErrhandler). Here an error is raised on a communicator without a handler of its own, which the original does not do",
}

var apiBindings = Case{
	Suite: API, Name: "bindings", Ranks: 4, Faults: "none",
	Checks: "FailureAck, GetAcked, Agree, Iagree, Shrink, Revoke, Revoked one after the other; the program ends with a revoked world",
	Run: func(r *Rank) {
		world := r.World
		world.FailureAck()
		r.note("GetAcked", onlyOwn(world.GetAcked()))
		flags, err := world.Agree(5)
		r.mustAll(world, "Agree", err)
		r.is("flags", flags, 5)
		request := world.Iagree(6)
		_, err = request.Wait()
		r.mustAll(world, "Iagree, Wait", err)
		if err == nil {
			r.is("flags of Iagree", request.Flags(), 6)
		}
		small, err := world.Shrink()
		r.mustAlways("Shrink", err)
		r.same("members", small.Members())
		world.Revoke()
		r.is("Revoked", world.Revoked(), true)
	},
	Differs: "a machine without a failure detector (`--with-ft no`) is refused: `TestAMachineWithoutADetectorIsRefused`",
}

var apiErrReturns = Case{
	Suite: API, Name: "err_returns", Ranks: 4, Faults: "crash:3@step:die",
	Checks: "Barrier with a failed member: ErrProcFailed on all others, each time; a communicator without it is not disturbed",
	Run: func(r *Rank) {
		all, some := r.insulated(3)
		if all == nil {
			return
		}
		for range 2 {
			r.any(all, "Barrier", all.Barrier(), failed)
			if biggest, err := r.allreduce(some, int64(r.me), ulfm.Max); r.well(some, "Allreduce", err) {
				r.is("largest", biggest, 2)
			}
			r.sleep(3 * nap)
		}
		for range 6 {
			_, err := r.reduce(some, 0, 1, ulfm.Sum)
			r.mustAll(some, "Reduce", err)
		}
		all.Free()
		some.Free()
	},
	Differs: withAgree,
}

// insulated makes two communicators, one of all and one without the rank that fails then.
func (r *Rank) insulated(victim int) (all, some *ulfm.Comm) {
	all, err := r.World.Dup()
	if !r.usable(r.World, "Dup", err) {
		return nil, nil
	}
	some, err = all.Split(int(truth(r.me == victim)), r.me)
	if !r.usable(all, "Split", err) {
		return nil, nil
	}
	for range 2 { // some may notice a failure in them when others are ahead
		r.any(all, "Barrier before", all.Barrier(), ok|failed|revoked)
	}
	if r.me == victim {
		r.die()
	}
	return all, some
}

// well is mustAll, and says whether it was.
func (r *Rank) well(c *ulfm.Comm, call string, err error) bool {
	r.mustAll(c, call, err)
	return err == nil
}

var apiErrReturnsF = Case{
	Suite: API, Name: "err_returnsf", Ranks: 4, Faults: "crash:0@step:die",
	Checks: "Barrier when rank 0 has failed: ErrProcFailed on all others (in Fortran)",
	Run: func(r *Rank) {
		r.any(r.World, "Barrier", r.World.Barrier(), ok|failed)
		if r.me == 0 {
			r.die()
		}
		r.any(r.World, "Barrier", r.World.Barrier(), failed)
	},
}

var apiErrHandler = Case{
	Suite: API, Name: "err_handler", Ranks: 4, Faults: "crash:3@step:die",
	Checks: "an error handler revokes; that disturbs no other communicator; a long computation is not taken for a failure",
	Run: func(r *Rank) {
		all, some := r.insulated(3)
		if all == nil {
			return
		}
		all.SetErrhandler(func(c *ulfm.Comm, err error) {
			switch classOf(err) {
			case failed:
				c.Revoke()
			case revoked:
			default:
				c.Abort(1)
			}
		})
		r.any(all, "Barrier", all.Barrier(), failed|revoked)
		r.sleep(45 * nap)
		r.any(all, "Barrier again", all.Barrier(), failed|revoked)
		for range 6 {
			_, err := r.reduce(some, 0, 1, ulfm.Sum)
			r.mustAll(some, "Reduce", err)
		}
		all.Free()
		some.Free()
	},
	Differs: withAgree,
}

var apiErrInsulation = Case{
	Suite: API, Name: "err_insulation", Ranks: 4, Faults: "crash:3@step:die",
	Checks:  "the half without the failed rank sees no error; the other half can be freed",
	Run:     func(r *Rank) { r.halves(3) },
	Differs: withAgree + "; the original compares with MPI_PROC_NULL where translating gives MPI_UNDEFINED, so that it never fails; what it means is checked here",
}

// halves lets a rank fail between two Barriers on each half of the ranks.
func (r *Rank) halves(victim int) {
	r.verbose(r.World)
	half, err := r.World.Split(int(truth(r.me >= r.World.Size()/2)), r.me)
	if !r.usable(r.World, "Split", err) {
		return
	}
	r.mustAll(half, "Barrier", half.Barrier())
	if r.me == victim {
		r.die()
	}
	if _, concerned := half.Member(victim); concerned {
		r.any(half, "Barrier", half.Barrier(), failed)
	} else {
		r.mustAll(half, "Barrier", half.Barrier())
	}
	half.Free()
}

// verbose sets the handler that most programs of the tutorial have: errors must be those of failures, which are
// acknowledged and listed.
func (r *Rank) verbose(c *ulfm.Comm) {
	c.SetErrhandler(func(c *ulfm.Comm, err error) {
		if classOf(err) != failed {
			c.Abort(1)
		}
		c.FailureAck()
		acked := c.Group().Incl(c.GetAcked()...).MachineRanks()
		r.any(c, "handler", err, failed)
		r.note("acknowledged", func(h *history, at clock.Time) string {
			for _, rank := range acked {
				if !h.everFailed(rank, at) {
					return fmt.Sprintf("%v, but %d has not failed", acked, rank)
				}
			}
			if len(acked) == 0 {
				return "nobody"
			}
			return ""
		})
	})
}
