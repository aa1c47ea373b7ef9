package conformance

import (
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// How errors come back: tutorial 00 to 03, 05 and 09.

var tutorialNoft = Case{
	Suite: Tutorial, Name: "00.noft", Ranks: 10, Faults: "crash:9@step:die", Ending: Aborts,
	Checks:  "errors are fatal unless the program says otherwise: a failure ends the run",
	Run:     fatalBarrier,
	Differs: "here errors return unless the program says otherwise: it sets ErrorsAbort",
}

// fatalBarrier is a Barrier with fatal errors.
func fatalBarrier(r *Rank) {
	r.World.SetErrhandler(ulfm.ErrorsAbort)
	if r.me == 9 {
		r.die()
	}
	_ = r.World.Barrier()
	r.never("a rank comes to an end")
}

var tutorialErrReturns = Case{
	Suite: Tutorial, Name: "01.err_returns", Ranks: 10, Faults: "crash:9@step:die",
	Checks: "Barrier returns ErrProcFailed on all others when a member has failed",
	Run: func(r *Rank) {
		r.any(r.World, "Barrier", r.World.Barrier(), ok|failed)
		if r.me == 9 {
			r.die()
		}
		r.any(r.World, "Barrier", r.World.Barrier(), failed)
	},
}

var tutorialErrHandler = Case{
	Suite: Tutorial, Name: "02.err_handler", Ranks: 10, Faults: "crash:5@step:die,crash:9@step:die",
	Checks: "an error handler is called on all others when two members have failed, and acknowledges what is known; that may differ at first",
	Run: func(r *Rank) {
		world := r.World
		r.verbose(world)
		r.any(world, "Barrier", world.Barrier(), ok|failed)
		if r.me == 5 || r.me == 9 {
			r.die()
		}
		r.any(world, "Barrier", world.Barrier(), failed)
		r.is("somebody is acknowledged", len(world.GetAcked()) > 0, true)
		r.sleep(nap)
		r.any(world, "Barrier again", world.Barrier(), failed)
		acked := slices.Sorted(slices.Values(world.GetAcked()))
		r.note("all are acknowledged", onlyOwn(acked, 5, 9))
	},
}

var tutorialUndisturbed = Case{
	Suite: Tutorial, Name: "03.undisturbed", Ranks: 10, Faults: "crash:5@step:die",
	Checks: "ranks exchange messages in pairs; only the partner of the failed rank gets an error",
	Run: func(r *Rank) {
		world := r.World
		r.verbose(world)
		r.any(world, "Barrier", world.Barrier(), ok|failed)
		if r.me == 5 {
			r.die()
		}
		partner := r.me ^ 1
		got, err := world.Sendrecv(partner, 0, string(rune('a'+r.me)), partner, 0)
		if partner == 5 {
			r.any(world, "Sendrecv with 5", err, failed)
			return
		}
		r.must(world, "Sendrecv", err, partner)
		if err == nil {
			r.is("payload", got.Payload, string(rune('a'+partner)))
		}
	},
}

var tutorialErrColl = Case{
	Suite: Tutorial, Name: "05.err_coll", Ranks: 10, Faults: "crash:2@step:die",
	Checks: "a Bcast with a failed inner rank succeeds on some ranks, with the right value, and fails on others",
	Run: func(r *Rank) {
		r.verbose(r.World)
		r.any(r.World, "Barrier", r.World.Barrier(), ok|failed)
		if r.me == 2 {
			r.die()
		}
		got, err := r.bcast(r.World, 0, 17)
		r.any(r.World, "Bcast", err, ok|failed)
		if err == nil {
			r.is("value", got, []int64{17})
		}
	},
}

var tutorialErrInsulation = Case{
	Suite: Tutorial, Name: "09.err_insulation", Ranks: 10, Faults: "crash:0@step:die",
	Checks:  "the half without rank 0 does not notice that rank 0 has failed",
	Run:     func(r *Rank) { r.halves(0) },
	Differs: withAgree,
}

var exerciseErrReturns = Case{
	Suite: Exercise, Name: "q01.err_returns", Ranks: 10, Faults: "crash:9@step:die", Ending: Aborts,
	Checks:  "01 without setting a handler: the run is aborted",
	Run:     fatalBarrier,
	Differs: tutorialNoft.Differs,
	Wrong:   "the run ends with an `AbortError` that names the rank, the communicator and the error",
}

// printing is a handler that does nothing but print.
func (r *Rank) printing(c *ulfm.Comm) {
	c.SetErrhandler(func(c *ulfm.Comm, err error) { r.any(c, "handler", err, failed) })
}

var exerciseErrHandler = Case{
	Suite: Exercise, Name: "q02.err_handler", Ranks: 10, Faults: "crash:9@step:die",
	Checks: "02 with a handler that only prints: nobody is acknowledged, which does no harm here",
	Run: func(r *Rank) {
		r.printing(r.World)
		r.any(r.World, "Barrier", r.World.Barrier(), ok|failed)
		if r.me == 9 {
			r.die()
		}
		r.any(r.World, "Barrier", r.World.Barrier(), failed)
		r.is("acknowledged", r.World.GetAcked(), []int{})
	},
}

var exerciseErrHandlerHint = Case{
	Suite: Exercise, Name: "q02.err_handler.hint1", Ranks: 10, Faults: "crash:5@step:die,crash:9@step:die",
	Checks: "the same with two failures and a Barrier more",
	Run: func(r *Rank) {
		r.printing(r.World)
		r.any(r.World, "Barrier", r.World.Barrier(), ok|failed)
		if r.me == 5 || r.me == 9 {
			r.die()
		}
		r.any(r.World, "Barrier", r.World.Barrier(), failed)
		r.sleep(nap)
		r.any(r.World, "Barrier again", r.World.Barrier(), failed)
		r.is("acknowledged", r.World.GetAcked(), []int{})
	},
}
