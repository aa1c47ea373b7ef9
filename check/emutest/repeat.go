package emutest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
)

// ErrNotRepeatable says that a run, repeated, was another one. A schedule that breaks a
// promise would prove nothing then, and one that keeps all of them neither.
var ErrNotRepeatable = errors.New("emutest: the same run went differently when repeated")

// repeater runs everything twice: on two instances and with different numbers of workers.
type repeater struct{ one, two *player }

func newRepeater(s *hunt) (*repeater, error) {
	trace := emu.TraceHash
	if s.needsEvents() {
		trace = emu.TraceEvents
	}
	one, err := newPlayer(&s.Test, s.protect, 1, trace)
	if err != nil {
		return nil, err
	}
	two, err := newPlayer(&s.Test, s.protect, 2, trace)
	return &repeater{one, two}, err
}

// play runs a schedule twice and compares.
func (r *repeater) play(ctx context.Context, s faults.Schedule, seed uint64) (played, error) {
	first, err := r.one.play(ctx, s, seed)
	if err != nil {
		return played{}, err
	}
	second, err := r.two.play(ctx, s, seed)
	if err != nil {
		return played{}, err
	}
	if a, b := first.what(), second.what(); a != b {
		return played{}, fmt.Errorf("%w, with faults=%v: %s, then %s. The program depends on something outside its Proc: "+
			"the time, random numbers other than those of Rand, the order of a map, memory shared between ranks, "+
			"or what an earlier run has left (Prepare has to clear it)", ErrNotRepeatable, s, a, b)
	}
	if a, b := first.verdicts, second.verdicts; !reflect.DeepEqual(guarantee.OnlyBroken(a), guarantee.OnlyBroken(b)) {
		return played{}, fmt.Errorf("%w, with faults=%v: all events were the same, and yet what was broken is first %v, then %v. "+
			"The checks depend on something outside the run, or on what an earlier run has left (Prepare has to clear it)",
			ErrNotRepeatable, s, guarantee.OnlyBroken(a), guarantee.OnlyBroken(b))
	}
	return first, nil
}

// what says in a few words what happened.
func (p *played) what() string {
	if p.report == nil {
		return p.verdicts[0].Evidence
	}
	return fmt.Sprintf("%d messages with hash %s", p.report.Messages, p.report.Hash)
}

// maxSample is how many schedules with faults are repeated.
const maxSample = 8

// sample are a few simple schedules, of ranks far apart.
func (test *Test) sample() []faults.Schedule {
	if test.Faults == 0 && test.Random == 0 {
		return nil
	}
	var all []faults.Schedule
	stops := stopping(test.Kinds)
	if len(stops) == 0 {
		return nil
	}
	kind := stops[0]
	apart := (test.Machine.Ranks + maxSample - 1) / maxSample
	for rank := 0; rank < test.Machine.Ranks; rank += apart {
		f := faults.Fault{Kind: kind, Rank: rank, At: faults.AfterNthSend(1)}
		if !slices.Contains(test.Spare, rank) && !slices.Contains(test.Given, f) {
			all = append(all, append(slices.Clone(test.Given), f))
		}
	}
	return all
}
