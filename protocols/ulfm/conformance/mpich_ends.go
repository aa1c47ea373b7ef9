package conformance

// How programs end.

var mpichDie = Case{
	Suite: MPICH, Name: "die", Ranks: 4, Faults: "crash:1@step:die",
	Checks: "a program comes to its end although another rank has failed",
	Run: func(r *Rank) {
		if r.me == 1 {
			r.die()
		}
	},
}

var mpichAbort = Case{
	Suite: MPICH, Name: "abort", Ranks: 2, Faults: "none", Ending: Aborts,
	Checks: "Abort ends the run, also on a rank that never calls anything",
	Run: func(r *Rank) {
		if r.me == 0 {
			r.World.Abort(1)
		}
		for {
			r.sleep(nap)
		}
	},
	Explored: Exploration{Only: []int{1}, Why: "without rank 0 nobody aborts, and rank 1 goes on for ever, as it is written"},
}
