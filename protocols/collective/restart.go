package collective

import (
	"math"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Restart is what tolerant operations are compared with: a computation of plain ones that begins
// again whenever a rank fails, on the ranks that are left, until it comes to its end. The tasks of
// failed ranks are taken over before; delay is what beginning again takes besides. It returns how
// often the computation was begun.
func Restart(world *ulfm.Comm, options Options, delay clock.Time, computation func(*Team) error) (attempts int, err error) {
	options.Strategy = Plain
	t := NewTeam(world, options)
	for {
		attempts++
		err := computation(t)
		if err != nil && !failure(err) {
			return attempts, err
		}
		// Ranks may have come to different operations; they give up in the same one.
		o := &operation{Team: t, name: "restart", number: math.MaxUint32}
		if err != nil {
			t.comm.Revoke()
		}
		done, err := o.agree(err == nil)
		if done || err != nil {
			return attempts, err
		}
		if err := o.repair(); err != nil {
			return attempts, err
		}
		t.calls = 0 // ranks have come to different points; from here on they are in step again
		t.Spend(delay)
	}
}
