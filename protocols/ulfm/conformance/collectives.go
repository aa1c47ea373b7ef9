package conformance

import (
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// What MPI has besides Barrier: the collective operations of package collective, without anything that they do about
// failures.

// team is that of a communicator. Its operations are numbered, so there is one for all of them.
func (r *Rank) team(c *ulfm.Comm) *collective.Team {
	if r.teams[c] == nil {
		r.teams[c] = collective.NewTeam(c, collective.Options{Strategy: collective.Plain})
	}
	return r.teams[c]
}

// bcast gives all what the root has.
func (r *Rank) bcast(c *ulfm.Comm, root int, values ...int64) ([]int64, error) {
	return collective.Broadcast(r.team(c), root, given(values))
}

// reduce combines one value of each at the root.
func (r *Rank) reduce(c *ulfm.Comm, root int, value int64, combine func(a, b int64) int64) (int64, error) {
	return only(collective.Reduce(r.team(c), root, given([]int64{value}), collective.Elementwise(combine)))
}

// allreduce combines one value of each, for all.
func (r *Rank) allreduce(c *ulfm.Comm, value int64, combine func(a, b int64) int64) (int64, error) {
	return only(collective.AllReduce(r.team(c), given([]int64{value}), collective.Elementwise(combine)))
}

// gather brings one value of each to the root, in the order of ranks.
func (r *Rank) gather(c *ulfm.Comm, root int, value int64) (all []int64, err error) {
	blocks, err := collective.Gather(r.team(c), root, given([]int64{value}))
	for _, block := range blocks {
		all = append(all, block...)
	}
	return all, err
}

// scatter gives each its block of what the root has.
func (r *Rank) scatter(c *ulfm.Comm, root int, blocks [][]int64) ([]int64, error) {
	own, err := collective.Scatter(r.team(c), root, collective.Given(func(int) [][]int64 { return blocks }))
	return own[c.Rank()], err
}

func given(values []int64) collective.Input[[]int64] {
	return collective.Given(func(int) []int64 { return values })
}

func only(values []int64, err error) (int64, error) {
	if len(values) == 0 {
		return 0, err
	}
	return values[0], err
}

func sum(a, b int64) int64     { return a + b }
func larger(a, b int64) int64  { return max(a, b) }
func smaller(a, b int64) int64 { return min(a, b) }
