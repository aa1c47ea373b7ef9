package tree

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// growth is the common pattern of binomial, Lamé and optimal trees (Corrected Trees,
// sections 3.2.2 and 3.2.3): a rank, from the instant it is reached, sends a message every
// step ticks, and every message takes delay ticks. In the paper's notation,
// T_t = T_(t-step) • T_(t-delay).
//
// The ranks reached at one instant are a wave. Ranks whose instants differ by a multiple
// of step send at the same instants ever after; they are a phase. What phase m sends
// reaches phase m+1, so phase m has a wave at each of m*delay, m*delay + step, m*delay +
// 2*step, ... These are its beats 0, 1, 2, ... After cycle phases, m*delay is a multiple of
// step again, namely lap*step: what the last phase sends joins phase 0, which has the root
// at beat 0 and then nobody before beat lap. So no empty instant needs looking at, however
// long step and delay are.
//
// Invariants:
//  1. waves have consecutive ranks: starts is ascending, and a rank belongs to the last
//     wave that starts at or before it;
//  2. the ranks of a wave are in the order of their senders, so the i-th rank of a wave
//     was sent to by the i-th rank of the phase before.
//
// Entries have 32 bits because there are as many waves as ranks if the delay is extremely
// long (the root sends to everybody) or the step is (every rank sends to one other).
type growth struct {
	name        string
	ranks       int
	step, delay clock.Time
	cycle, lap  int
	phases      [][]wave   // by phase and slot
	starts      []int32    // first rank of every wave, in order of time
	places      [][2]int32 // phase and slot of every wave, in order of time
}

// wave is the ranks from first on that are reached at one instant. From that instant on,
// that many ranks of its phase send, the wave itself included.
type wave struct{ first, senders int32 }

// place is where a wave stands in the table. The slots of a phase are its beats without
// the hole after the root.
type place struct{ phase, slot int }

// newGrowth lists the waves until there are enough ranks. The last one is listed in full.
func newGrowth(name string, ranks int, step, delay clock.Time) *growth {
	divisor := gcd(step, delay)
	g := &growth{
		name: name, ranks: ranks, step: step, delay: delay,
		cycle: int(step / divisor), lap: int(delay / divisor),
		phases: [][]wave{{{first: 0, senders: 1}}}, starts: []int32{0}, places: [][2]int32{{}},
	}
	reached := 1
	for next := range g.schedule {
		if reached >= ranks {
			break
		}
		reached += g.add(next, reached)
	}
	return g
}

// schedule yields the waves after the root in order of time, for ever. A phase that has
// had a wave has its next one a step later, so phases take turns in a queue. A phase opens
// a delay after the one before it, unless it is that of the root again.
func (g *growth) schedule(yield func(place) bool) {
	var turns []place
	opening, more := g.targets(place{}), true
	for {
		next := opening
		if !more || len(turns) > 0 && g.time(turns[0]) < g.time(opening) {
			next, turns = turns[0], turns[1:]
		} else {
			opening, more = g.targets(next), next.phase != 0
		}
		if !yield(next) {
			return
		}
		turns = append(turns, place{next.phase, next.slot + 1})
	}
}

func gcd(a, b clock.Time) clock.Time {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (g *growth) Size() int      { return g.ranks }
func (g *growth) Root() int      { return 0 }
func (g *growth) String() string { return g.name }

// add lists a wave and returns its size.
func (g *growth) add(w place, first int) int {
	phase, beat := g.sources(w)
	size := int(g.phases[phase][g.slot(phase, beat)].senders)
	if w.phase == len(g.phases) {
		g.phases = append(g.phases, nil)
	}
	before := g.before(w)
	g.phases[w.phase] = append(g.phases[w.phase], wave{int32(first), int32(before + size)})
	g.starts = append(g.starts, int32(first))
	g.places = append(g.places, [2]int32{int32(w.phase), int32(w.slot)})
	return size
}

// sources is the phase that sends to a wave after the root, and at which beat.
func (g *growth) sources(w place) (phase, beat int) {
	if w.phase == 0 {
		return g.cycle - 1, w.slot - 1
	}
	return w.phase - 1, w.slot
}

// targets is the wave that the ranks of w send their first message to; those of the next
// messages follow it in the same phase.
func (g *growth) targets(w place) place {
	if w.phase+1 < g.cycle {
		return place{w.phase + 1, g.beat(w)}
	}
	return place{0, g.beat(w) + 1}
}

// beat is the number of steps from the start of the phase to the wave.
func (g *growth) beat(w place) int {
	if w.phase == 0 && w.slot > 0 {
		return w.slot - 1 + g.lap
	}
	return w.slot
}

// slot is that of the last wave of a phase up to a beat.
func (g *growth) slot(phase, beat int) int {
	if phase == 0 {
		return max(0, beat-g.lap+1)
	}
	return beat
}

// before is the number of ranks of its phase that sent before the wave joined them.
func (g *growth) before(w place) int {
	if w.slot == 0 {
		return 0
	}
	return int(g.phases[w.phase][w.slot-1].senders)
}

// time is the instant at which the wave is reached if every step and delay is as long as
// in the pattern.
func (g *growth) time(w place) clock.Time {
	return clock.Time(w.phase)*g.delay + clock.Time(g.beat(w))*g.step
}

// waveOf is the wave that a rank belongs to.
func (g *growth) waveOf(rank int) place {
	i, found := slices.BinarySearch(g.starts, int32(rank))
	if !found {
		i--
	}
	return g.place(i)
}

// place is where the i-th wave stands.
func (g *growth) place(i int) place {
	return place{int(g.places[i][0]), int(g.places[i][1])}
}
