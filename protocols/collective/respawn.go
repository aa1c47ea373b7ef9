package collective

import (
	"math"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Respawn is Restart at full strength: a computation of plain operations that begins again whenever a
// rank fails, on as many ranks as before, as soon as those that have failed were started anew. Each of them
// calls it, too, and does the task that it did in its former life. It returns how often the computation was begun here.
func Respawn(world *ulfm.Comm, options Options, delay clock.Time, computation func(*Team) error) (attempts int, err error) {
	options.Strategy = Plain
	comm := world
	if world.Proc().Life() > 0 {
		if comm, err = world.Replace(); err != nil {
			return 0, err
		}
		comm.Spend(delay)
	}
	for {
		attempts++
		t := NewTeam(comm, options)
		err := computation(t)
		if err != nil && !failure(err) {
			return attempts, err
		}
		o := &operation{Team: t, name: "respawn", number: math.MaxUint32}
		if err != nil {
			comm.Revoke()
		}
		done, err := o.agree(err == nil)
		if done || err != nil {
			return attempts, err
		}
		if comm, err = o.replace(); err != nil {
			return attempts, err
		}
		comm.Spend(delay)
	}
}

// replace gets ranks in the place of those that have failed.
func (o *operation) replace() (*ulfm.Comm, error) {
	defer o.observe(Repairing, o.now())
	o.step(StepRepair)
	whole, err := o.comm.Replace()
	if err == nil {
		o.step(StepRepaired)
	}
	return whole, err
}
