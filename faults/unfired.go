package faults

import "github.com/mangrove-emu/mangrove/clock"

// AppendUnfired appends those faults of the schedule to a list that have not happened by the end
// of a run, when nothing more was going on. The tracker of each rank that it names says how far
// that has come.
func (s Schedule) AppendUnfired(list Schedule, end clock.Time, tracker func(rank int) *Tracker) Schedule {
	for place := range s {
		f := &s[place]
		happened := f.At.Time <= end
		if !f.OfLinks() {
			happened = tracker(f.Rank).happened(place, f, end)
		}
		if !happened {
			list = append(list, *f)
		}
	}
	return list
}

// happened reports whether a fault of the rank has happened by the end of a run. The clock slows
// a rank down and crashes it whether its program is still there or not.
func (t *Tracker) happened(place int, f *Fault, end clock.Time) bool {
	switch {
	case t.history.has(place):
		return true
	case f.At.Anchor != AtTime:
		return false
	case f.Kind == Slow:
		return f.At.Time <= min(t.deadAt, end)
	case f.Kind == Crash:
		return f.At.Time == t.deadAt && t.deadAt <= end
	}
	return false
}
