package conformance

import "github.com/mangrove-emu/mangrove/protocols/ulfm"

// Receives from any source: tutorial 08, and the exercise that acknowledges nothing.

var tutorialErrAnySrc = Case{
	Suite: Tutorial, Name: "08.err_any_src", Ranks: 10, Faults: "crash:5@step:die",
	Checks: "rank 0 receives from any source, and acknowledges failures until it has a message from all that are left",
	Run: func(r *Rank) {
		if !r.sendsToMaster() {
			return
		}
		world := r.World
		for i, gone := 1, 0; i < world.Size()-gone; {
			_, err := world.Recv(ulfm.AnySource, 1)
			r.any(world, "Recv", err, ok|failed)
			if err == nil {
				i++
				continue
			}
			gone = world.AckFailed(world.Size())
		}
	},
}

// sendsToMaster has all but one send to rank 0, and reports whether this is rank 0.
func (r *Rank) sendsToMaster() bool {
	world := r.World
	r.any(world, "Barrier", world.Barrier(), ok|failed)
	switch r.me {
	case 0:
		return true
	case 5:
		r.die()
	}
	r.must(world, "Send", world.Send(0, 1, words), 0)
	return false
}

var tutorialErrIanySrc = Case{
	Suite: Tutorial, Name: "08.2.err_iany_src", Ranks: 10, Faults: "crash:5@step:die",
	Checks: "the same with Irecv and Wait: the request stays and is waited for again, or given up in the end",
	Run: func(r *Rank) {
		if !r.sendsToMaster() {
			return
		}
		world := r.World
		for i, gone := 1, 0; i < world.Size()-gone; {
			request := world.Irecv(ulfm.AnySource, 1)
			for {
				_, err := request.Wait()
				r.any(world, "Wait", err, ok|pending)
				if err == nil {
					i++
					break
				}
				world.FailureAck()
				gone = len(world.GetAcked())
				if i >= world.Size()-gone {
					request.Cancel()
					break
				}
			}
		}
	},
}

var exerciseErrAnySrc = Case{
	Suite: Exercise, Name: "q08.err_any_src", Ranks: 10, Faults: "crash:5@step:die", Ending: NeverEnds,
	Checks: "08 without acknowledging: receives from any source fail for ever",
	Run: func(r *Rank) {
		if !r.sendsToMaster() {
			return
		}
		for i := 1; i < r.World.Size(); {
			if _, err := r.World.Recv(ulfm.AnySource, 1); err == nil {
				i++
			}
		}
	},
	Explored: Exploration{None: true, Why: "it is wrong with the failure that it has"},
	Wrong:    "calls that fail take a tick, so that the run reaches its time limit: `TimeLimitError`",
}
