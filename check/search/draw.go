package search

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// drawer draws schedules for a subject. It knows what happens in a run without faults, and
// draws points from there and a little beyond.
type drawer struct {
	options    FuzzOptions
	ranks      []int // that may fail
	lives      []life
	quiescence clock.Time
	last       clock.Time // when all has come to rest, also those who only wait
	steps      []string
	storing    bool // some rank changes what it has stored
	// stopping are the kinds after which somebody can come back.
	stopping []faults.Kind
}

func newDrawer(rep *report.Report, s *Subject, options FuzzOptions) *drawer {
	d := &drawer{options: options, lives: lives(rep), quiescence: rep.Quiescence, last: lastInstant(rep)}
	names := make(map[string]bool)
	for rank := range s.Machine.Ranks {
		if options.Roots || !slices.Contains(s.Roots, rank) {
			d.ranks = append(d.ranks, rank)
		}
	}
	for _, l := range d.lives {
		for name := range l.steps {
			names[name] = true
		}
		d.storing = d.storing || l.write.done > 0
	}
	d.steps = slices.Sorted(maps.Keys(names))
	d.stopping = slices.DeleteFunc(slices.Clone(options.Kinds), func(k faults.Kind) bool { return !k.Stops() })
	return d
}

// anchors that a schedule may use.
var anchors = []faults.Anchor{
	faults.AtTime, faults.BeforeSend, faults.MidSend, faults.AfterSend, faults.AtRecv, faults.AtStep,
}

// storageAnchors are those that a schedule may use in addition, if anything is stored.
var storageAnchors = []faults.Anchor{
	faults.BeforeWrite, faults.MidWrite, faults.AfterWrite, faults.BeforeSync, faults.MidSync, faults.AfterSync,
}

// schedule draws a schedule: first which kinds and anchors it has at all, then its faults. In half of them many messages are late, with and
// without other faults, if any may be.
func (d *drawer) schedule(random *rand.Rand) faults.Schedule {
	all := d.kinds()
	var s faults.Schedule
	if slices.Contains(all, faults.Late) && random.IntN(2) == 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(k faults.Kind) bool { return k == faults.Late })
		if s = d.unrest(random); len(s) > 0 && (len(all) == 0 || random.IntN(2) == 0) {
			return s
		}
	}
	kinds, points := some(random, all), some(random, d.anchors())
	for range 1 + random.IntN(max(1, d.options.Faults)) {
		if len(kinds) == 0 {
			break
		}
		f := d.fault(random, pick(random, kinds), points, s)
		if !slices.Contains(s, f) {
			s = append(s, f)
		}
	}
	return s
}

// fault draws a fault of a kind, to go with those before it. If nobody can come back yet,
// somebody fails instead.
func (d *drawer) fault(random *rand.Rand, kind faults.Kind, points []faults.Anchor, s faults.Schedule) faults.Fault {
	switch kind {
	case faults.Late, faults.Lose, faults.Twice:
		return d.message(random, kind)
	case faults.Cut:
		return d.cut(random)
	case faults.Mend:
		if f, ok := d.mend(random, s); ok {
			return f
		}
		return d.cut(random)
	case faults.Rejoin:
		if f, ok := d.rejoin(random, s); ok {
			return f
		}
		kind = pick(random, d.stopping)
	}
	f := faults.Fault{Kind: kind, Rank: pick(random, d.ranks)}
	f.At = d.point(random, pick(random, points), f.Rank)
	if f.Kind == faults.Slow {
		f.Factor = 2 + random.IntN(9)
	} else if d.storing {
		f.Kept = someKept(random, d.lives[f.Rank].most)
	}
	return f
}

// anchors are those that a schedule may use.
func (d *drawer) anchors() []faults.Anchor {
	if d.storing {
		return slices.Concat(anchors, storageAnchors)
	}
	return anchors
}

// beyond is how much more a rank may do because of faults than without.
const beyond = 3

// kinds are those that can happen: nobody fails if all ranks are spared.
func (d *drawer) kinds() []faults.Kind {
	if len(d.ranks) > 0 {
		return d.options.Kinds
	}
	return slices.DeleteFunc(slices.Clone(d.options.Kinds), func(k faults.Kind) bool { return !k.OfMessages() })
}

// point draws a point of a rank's program.
func (d *drawer) point(random *rand.Rand, a faults.Anchor, rank int) faults.Point {
	l := &d.lives[rank]
	switch {
	case a == faults.AtTime:
		return faults.OnTime(d.instant(random))
	case a == faults.AtStep && len(d.steps) > 0:
		return faults.OnStep(pick(random, d.steps), 1)
	case a == faults.AtStep, a == faults.AtRecv:
		return faults.OnNthRecv(1 + random.IntN(l.takes+beyond))
	}
	done := l.send.done + 1
	switch a {
	case faults.BeforeWrite, faults.MidWrite, faults.AfterWrite:
		done = l.write.done
	case faults.BeforeSync, faults.MidSync, faults.AfterSync:
		done = l.sync.done
	}
	return faults.Point{Anchor: a, N: 1 + random.IntN(done+beyond)}
}

// some draws a subset that is not empty: each element is in or out.
func some[T any](random *rand.Rand, all []T) []T {
	if len(all) == 0 {
		return nil
	}
	var in []T
	for _, v := range all {
		if random.IntN(2) == 0 {
			in = append(in, v)
		}
	}
	if len(in) == 0 {
		return []T{pick(random, all)}
	}
	return in
}

func pick[T any](random *rand.Rand, all []T) T { return all[random.IntN(len(all))] }
