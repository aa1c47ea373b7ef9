package collective

import (
	"errors"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// operation is a call of an operation, while it lasts.
type operation struct {
	*Team
	name   string
	lost   func(tasks []int) error
	began  int // how many moves there were when it began
	seen   int // how many moves it has taken into account
	number uint32
	again  bool // something was done before the last failure
}

// perform carries an operation through: the algorithm, again and again until all ranks that are
// left have come to its end.
func (t *Team) perform(name string, since Mark, lost func([]int) error, algorithm func(*operation)) error {
	moves := t.past.moves().len()
	o := &operation{Team: t, name: name, number: t.calls, lost: lost, began: moves, seen: moves}
	if since > 0 {
		o.seen = min(o.seen, int(since)-1)
	}
	t.calls++
	if t.strategy == Plain {
		return o.exchange(algorithm)
	}
	well, err := true, error(nil)
	if t.strategy == Tolerant || !t.Whole() {
		well, err = o.agree(true)
	}
	if err := o.restoreUntil(well, err); err != nil {
		return err
	}
	for {
		err := o.exchange(algorithm)
		if err != nil && !failure(err) {
			return err
		}
		if err != nil {
			t.comm.Revoke()
		}
		done, err := o.agree(err == nil)
		if done || err != nil {
			return err
		}
		o.again = true
		if err := o.restoreUntil(false, nil); err != nil {
			return err
		}
	}
}

// failure reports whether an error is one that operations carry on after.
func failure(err error) bool {
	return errors.Is(err, ulfm.ErrProcFailed) || errors.Is(err, ulfm.ErrRevoked)
}

// exchange runs the algorithm, up to the first send or receive that fails.
func (o *operation) exchange(algorithm func(*operation)) (err error) {
	defer o.observe(Exchanging, o.now())
	defer func() {
		switch value := recover().(type) {
		case nil:
		case stopped:
			err = value.err
		default:
			panic(value)
		}
	}()
	o.step(StepExchange)
	algorithm(o)
	return nil
}

// agree reports whether everything is well on all ranks.
func (o *operation) agree(well bool) (bool, error) {
	defer o.observe(Agreeing, o.now())
	o.step(StepAgree)
	var flags int64
	if well {
		flags = 1
	}
	flags, err := o.comm.Agree(flags)
	if err != nil && !failure(err) {
		return false, err
	}
	return flags == 1 && err == nil, nil
}

// restoreUntil repairs the team unless it is well, and restores what was lost. That may need
// operations of its own, in which others fail.
func (o *operation) restoreUntil(well bool, err error) error {
	if err != nil {
		return err
	}
	if !well {
		if err := o.repair(); err != nil {
			return err
		}
	}
	for o.seen < o.past.moves().len() {
		since := o.seen
		o.seen = o.past.moves().len()
		if o.lost == nil {
			continue
		}
		if err := o.lost(o.movedSince(since)); err != nil {
			return err
		}
	}
	return nil
}

// repair leaves failed ranks behind and takes over their tasks (section 3.1.1).
func (o *operation) repair() error {
	defer o.observe(Repairing, o.now())
	o.step(StepRepair)
	o.comm.FailureAck()
	before := o.past.moves().len()
	smaller, err := o.comm.Shrink()
	if err != nil {
		return err
	}
	o.takeOver(smaller)
	moves := o.past.moves()
	for i := before; i < moves.len(); i++ {
		if m := moves.at(i); m.to == o.me() && o.restore != nil {
			o.Spend(o.restore(m.task))
		}
	}
	o.step(StepRepaired)
	return nil
}

// step names a point at which a schedule can let the rank fail.
func (o *operation) step(name string) { o.comm.Proc().Step(name) }

// observe tells of a span that began at some instant and ends now.
func (o *operation) observe(a Activity, from clock.Time) {
	if o.observer != nil {
		o.observer(o.me(), Span{o.name, o.number, a, from, o.now()})
	}
}

// now is the instant, if anybody wants to know.
func (o *operation) now() clock.Time {
	if o.observer == nil {
		return 0
	}
	return o.comm.Proc().Now()
}

// lostTask reports whether a task was taken over since the operation began.
func (o *operation) lostTask(task int) bool {
	moves := o.past.moves()
	for i := o.began; i < moves.len(); i++ {
		if moves.at(i).task == task {
			return true
		}
	}
	return false
}
