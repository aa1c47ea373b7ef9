package conformance

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Creating communicators: tutorial 06 and 07. Of those who create one, some may have it while others have an error.

var tutorialErrCommDup = Case{
	Suite: Tutorial, Name: "06.err_comm_dup", Ranks: 10, Faults: "crash:9@step:die",
	Checks: "Dup followed by Agree: all have the new communicator, or none",
	Run: func(r *Rank) {
		first, ok := r.dupAndAgree(r.World)
		r.same("first Dup", ok)
		if !ok {
			return
		}
		if err := first.Barrier(); err != nil {
			r.mustAll(first, "Barrier", err)
		}
		if r.me == 9 {
			r.die()
		}
		second, ok := r.dupAndAgree(first)
		r.same("second Dup", ok)
		r.is("second Dup, of which a member has failed", ok, false)
		if second != nil {
			second.Free()
		}
	},
}

// dupAndAgree is Dup as programs must call it.
func (r *Rank) dupAndAgree(c *ulfm.Comm) (*ulfm.Comm, bool) {
	dup, err := c.Dup()
	r.mustAll(c, "Dup", err)
	if r.agreed(c, err == nil) {
		return dup, true
	}
	if dup != nil {
		dup.Free()
	}
	return nil, false
}

var exerciseErrCommDup = Case{
	Suite: Exercise, Name: "q06.err_comm_dup", Ranks: 10, Faults: "none", Ending: Differs,
	Checks: "06 without Agree: some ranks have the new communicator and others have none",
	Run: func(r *Rank) {
		dup, err := r.World.Dup()
		r.mustAll(r.World, "Dup", err)
		r.same("all have it", dup != nil)
	},
	Differs: "the failure is left to the exploration: it may happen anywhere, also in Dup",
	Wrong:   "exploring one failure finds ranks of which some have the communicator and some do not",
}

var tutorialGrid = Case{
	Suite: Tutorial, Name: "07.err_comm_grid2d", Ranks: 9, Faults: "crash:8@step:die",
	Checks: "two Splits and one Agree: all have both communicators, or none has any",
	Run:    func(r *Rank) { r.grids(r.gridOneAgree) },
}

var exerciseGrid = Case{
	Suite: Exercise, Name: "q07.err_comm_grid2d", Ranks: 9, Faults: "crash:8@step:die",
	Checks: "07 with an Agree after each Split: right, and slower",
	Run:    func(r *Rank) { r.grids(r.gridTwoAgrees) },
}

// grids makes rows and columns, before and after a failure.
func (r *Rank) grids(make func() (row, column *ulfm.Comm)) {
	for i := range 2 {
		row, column := make()
		r.same(fmt.Sprintf("row and column %d", i), fmt.Sprint(row != nil, column != nil))
		r.is("both or none", row != nil, column != nil)
		if i == 0 && row != nil {
			r.is("sizes", []int{row.Size(), column.Size()}, []int{3, 3})
		}
		if i == 1 {
			r.is("after the failure", row != nil, false)
		}
		if i == 0 && r.me == 8 {
			r.die()
		}
	}
}

func (r *Rank) gridOneAgree() (row, column *ulfm.Comm) {
	row, err := r.World.Split(r.me/3, r.me)
	r.mustAll(r.World, "Split", err)
	column, err2 := r.World.Split(r.me%3, r.me)
	r.mustAll(r.World, "Split", err2)
	if r.agreed(r.World, err == nil && err2 == nil) {
		return row, column
	}
	return free(row), free(column)
}

func (r *Rank) gridTwoAgrees() (row, column *ulfm.Comm) {
	row, err := r.World.Split(r.me/3, r.me)
	if !r.usable(r.World, "Split", err) {
		return free(row), nil
	}
	column, err = r.World.Split(r.me%3, r.me)
	if !r.usable(r.World, "Split", err) {
		return free(row), free(column)
	}
	return row, column
}

// free gives a communicator up if there is one, and returns none.
func free(c *ulfm.Comm) *ulfm.Comm {
	if c != nil {
		c.Free()
	}
	return nil
}
