package conformance

import (
	"errors"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// errFinished is how a worker leaves its loop.
var errFinished = errors.New("conformance: there is no work left")

func shrinkTasks(name string) Case {
	return Case{
		Suite: Tasks, Name: name, Ranks: 4, Faults: "crash:1@step:die",
		Checks: "a master revokes when a worker has failed; all shrink, tell the master who they were, and go on; the sum is right",
		Run: func(r *Rank) {
			c, err := r.World.Dup()
			if !r.usable(r.World, "Dup", err) {
				return
			}
			if r.me == 0 {
				r.shrinkingMaster(c)
			} else {
				r.shrinkingWorker(c)
			}
		},
		Explored: Exploration{Fatal: true, Why: noMaster},
		Differs:  withAgree + "; after Shrink all work that was under way is given out anew, and no rank goes on with what it had before; in the end all agree, since a worker that is not told to end because it has failed must not leave others without Shrink",
	}
}

// shrinkingMaster goes on until all members have heard of the end.
func (r *Rank) shrinkingMaster(c *ulfm.Comm) {
	m := newMaster(c)
	for {
		var err error
		for m.left() && err == nil {
			err = m.round()
		}
		if err != nil {
			r.any(m.c, "master", err, failed|revoked)
			m.c.Revoke()
		}
		if r.agreed(m.c, err == nil) {
			break
		}
		m.c = r.shrinkWithMaster(m.c)
		for worker := range m.to {
			m.lose(worker)
		}
		m.workers()
		m.ended = m.ended && len(m.todo) == 0
	}
	if m.ended {
		r.is("sum", m.sum, sumOfSlices)
	}
}

func (r *Rank) shrinkingWorker(c *ulfm.Comm) {
	for {
		err := error(nil)
		for err == nil {
			err = r.serve(c)
		}
		if err != errFinished {
			r.any(c, "worker", err, failed|revoked)
			if classOf(err) == failed { // the master
				c.Abort(1)
			}
		}
		if r.agreed(c, err == errFinished) {
			return
		}
		c = r.shrinkWithMaster(c)
	}
}

// shrinkWithMaster leaves failed ranks behind. The master hears who the others were.
func (r *Rank) shrinkWithMaster(c *ulfm.Comm) *ulfm.Comm {
	small, err := c.Shrink()
	r.mustAlways("Shrink", err)
	if small.MachineRank(0) != 0 {
		small.Abort(1)
	}
	was, err := r.gather(small, 0, int64(c.Rank()))
	r.mustUnless("Gather", err, failed|revoked, small.Members())
	if err != nil {
		small.Revoke()
	} else if small.Rank() == 0 {
		r.is("who they were", len(was), small.Size())
	}
	return small
}
