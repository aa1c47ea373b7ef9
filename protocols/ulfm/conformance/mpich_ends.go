package conformance

import "github.com/mangrove-emu/mangrove/protocols/ulfm"

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

// ssend is a send that waits until the message was received, by accept.
func ssend(c *ulfm.Comm, to int, tag int64, payload string) error {
	if err := c.Send(to, tag, payload); err != nil {
		return err
	}
	_, err := c.Recv(to, tag+synchronous)
	return err
}

// accept receives what ssend sends.
func accept(c *ulfm.Comm, from int, tag int64) (ulfm.Received, error) {
	got, err := c.Recv(from, tag)
	if err == nil {
		err = c.Send(from, tag+synchronous, "")
	}
	return got, err
}

// synchronous is added to the tags of messages that say that another was received.
const synchronous = 1 << 20
