package conformance

import "github.com/mangrove-emu/mangrove/protocols/ulfm"

// Collective operations of which a member has failed.

var mpichBarrier = Case{
	Suite: MPICH, Name: "barrier", Ranks: 4, Faults: "crash:1@step:die",
	Checks: "Barrier with a member that has failed: ErrProcFailed, and nobody waits for ever",
	Run: func(r *Rank) {
		if r.me == 1 {
			r.die()
		}
		r.any(r.World, "Barrier", r.World.Barrier(), failed)
	},
}

var mpichGather = Case{
	Suite: MPICH, Name: "gather", Ranks: 4, Faults: "crash:1@step:die",
	Checks: "Gather with a member that has failed: ErrProcFailed at the root",
	Run: func(r *Rank) {
		if r.me == 1 {
			r.die()
		}
		_, err := r.gather(r.World, 0, int64(r.me))
		r.any(r.World, "Gather", err, atRoot(r, failed))
	},
}

var mpichReduce = Case{
	Suite: MPICH, Name: "reduce", Ranks: 4, Faults: "crash:1@step:die",
	Checks: "Reduce with a member that has failed: ErrProcFailed at the root",
	Run: func(r *Rank) {
		if r.me == 1 {
			r.die()
		}
		_, err := r.reduce(r.World, 0, 1, ulfm.Sum)
		r.any(r.World, "Reduce", err, atRoot(r, failed))
	},
}

// atRoot is what rank 0 must get; others may also succeed.
func atRoot(r *Rank, want class) class {
	if r.me == 0 {
		return want
	}
	return want | ok
}

// withoutOne is made before a rank fails: a communicator of all others, who alone take part in that. There is none if another failure
// came between.
func (r *Rank) withoutOne(victim int) (small *ulfm.Comm, there bool) {
	small, err := r.World.CreateGroup(r.World.Group().Excl(victim), 0)
	r.must(r.World, "CreateGroup", err, others(r.World, victim)...)
	if !r.agreed(r.World, err == nil) {
		return nil, false
	}
	if r.me == victim {
		r.die()
	}
	return small, true
}

// usable requires that a communicator was made of another one, as long as nobody there has failed, and has all agree on
// whether it was: further failures may leave some ranks without it.
func (r *Rank) usable(c *ulfm.Comm, call string, err error) bool {
	r.mustAll(c, call, err)
	return r.agreed(c, err == nil)
}

var mpichBcast = Case{
	Suite: MPICH, Name: "bcast", Ranks: 4, Faults: "crash:1@step:die",
	Checks: "two Bcasts in a row with a member that has failed: success or ErrProcFailed",
	Run: func(r *Rank) {
		small, there := r.withoutOne(1)
		if !there {
			return
		}
		for length := range 2 {
			values := make([]int64, 10+1000*length)
			if r.me == 0 {
				fill(values, 1)
			}
			got, err := r.bcast(r.World, 0, values...)
			r.any(r.World, "Bcast", err, ok|failed)
			if err == nil {
				r.is("values", got, fill(values, 1))
			}
		}
		small.Free()
	},
	Differs: withAgree,
}

var mpichScatter = Case{
	Suite: MPICH, Name: "scatter", Ranks: 4, Faults: "crash:1@step:die",
	Checks: "two Scatters in a row with a member that has failed: success or ErrProcFailed; then Reduce on a communicator of the others succeeds",
	Run: func(r *Rank) {
		small, there := r.withoutOne(1)
		if !there {
			return
		}
		for length := range 2 {
			blocks := make([][]int64, r.World.Size())
			for i := range blocks {
				blocks[i] = fill(make([]int64, 10+1000*length), int64(i))
			}
			got, err := r.scatter(r.World, 0, blocks)
			r.any(r.World, "Scatter", err, ok|failed)
			if err == nil {
				r.is("values", got, blocks[r.me])
			}
		}
		total, err := r.reduce(small, 0, 1, ulfm.Sum)
		r.mustAll(small, "Reduce", err)
		if err == nil && r.me == 0 {
			r.is("sum", total, 3)
		}
		small.Free()
	},
	Differs: withAgree,
}

// fill numbers values, so that each block has others.
func fill(values []int64, first int64) []int64 {
	for i := range values {
		values[i] = 100*first + int64(i)
	}
	return values
}

var mpichNbccoll = Case{
	Suite: MPICH, Name: "nbccoll", Ranks: 4, Faults: "crash:3@step:die",
	Checks: "Barrier on a communicator of the others succeeds while an Ibarrier with the failed rank is under way, which then fails",
	Run: func(r *Rank) {
		small, there := r.withoutOne(3)
		if !there {
			return
		}
		request := r.World.Ibarrier()
		r.mustAll(small, "Barrier", small.Barrier())
		_, err := request.Wait()
		r.any(r.World, "Wait", err, failed)
		small.Free()
	},
	Differs: withAgree,
}
