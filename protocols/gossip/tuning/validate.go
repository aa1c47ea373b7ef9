package tuning

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// MaxRanks is the largest machine that can be tuned.
const MaxRanks = 1 << 24

// problems collects what is wrong with the arguments of a function.
type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// within notes a value outside low to high.
func (p *problems) within(name string, value, low, high int) {
	if value < low || value > high {
		p.add("%s = %d, want %d to %d", name, value, low, high)
	}
}

// time notes an instant that gossip cannot end at.
func (p *problems) time(name string, t clock.Time) {
	p.within(name, int(t), 0, int(clock.Forever))
}

// chance notes what is not strictly between 0 and 1, NaN included.
func (p *problems) chance(name string, value float64) {
	if !(value > 0 && value < 1) {
		p.add("%s = %v, want above 0 and below 1", name, value)
	}
}

// machine notes costs that no machine has, and failures beyond those of all but the root.
func (p *problems) machine(machine clock.LogP, failures int) {
	p.within("ranks N", machine.Ranks, 2, MaxRanks)
	p.within("failures", failures, 0, max(0, machine.Ranks-1))
	machine.Ranks = MaxRanks // what clock has to say of ranks has been said
	if err := machine.Validate(); err != nil {
		p.add("%s", strings.TrimPrefix(err.Error(), "clock: "))
	}
}

// err lists all of them in one error, or is nil.
func (p problems) err() error {
	if p == nil {
		return nil
	}
	return errors.New("tuning: " + strings.Join(p, "; "))
}
