package emu

import (
	"math/bits"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

// watchers are the ranks of this part that have asked for a notice of one rank's failure. In an all-to-all every rank asks for every
// other one, so that nothing else takes as much of a detector's memory: it keeps when somebody has asked only for as long
// as that matters, and of many no more than a bit.
type watchers struct {
	recent  []watcher // from window to window in the order of time
	settled []int32   // when they asked does not matter any more
	many    []uint64  // of the same, a bit for each rank; nil as long as there are few
}

// watcher is who has asked, by its place, and when.
type watcher struct {
	at   clock.Time
	rank int32
}

// addWatcher takes note of one that has asked for a rank that is not suspected.
//
// A notice comes a delay after it was asked for, at the earliest. Whatever becomes known from now on was not certain at the start
// of the last window, and so becomes known a lookahead after that, at the earliest. So for those who have asked a delay before
// that instant, or earlier, it does not matter when.
func (m *Machine) addWatcher(w watch) {
	d := &m.detector
	all := d.watchers[w.what]
	if all == nil {
		all = new(watchers)
		d.watchers[w.what] = all
	}
	all.settle(d.certain+m.lookahead-m.cfg.Detection.Delay, len(m.ranks))
	all.recent = append(all.recent, watcher{w.at, m.placeOf(w.watcher)})
}

// settle forgets when those have asked who did so by an instant.
func (all *watchers) settle(by clock.Time, ranks int) {
	long := 0
	for long < len(all.recent) && all.recent[long].at <= by {
		all.keep(all.recent[long].rank, ranks)
		long++
	}
	all.recent = slices.Delete(all.recent, 0, long)
}

// keep takes note of who has asked; of who has asked again, in the list.
func (all *watchers) keep(rank int32, ranks int) {
	if all.many == nil && 4*len(all.settled) >= ranks/8 { // bytes
		few := all.settled
		all.many, all.settled = make([]uint64, (ranks+63)/64), nil
		for _, rank := range few {
			all.keep(rank, ranks)
		}
	}
	if all.many == nil || all.many[rank/64]&(1<<(rank%64)) != 0 {
		all.settled = append(all.settled, rank)
		return
	}
	all.many[rank/64] |= 1 << (rank % 64)
}

// each calls f with all of them, by their places. Those whose time does not matter have asked long ago.
func (all *watchers) each(f func(watch)) {
	for i, word := range all.many {
		for ; word != 0; word &= word - 1 {
			f(watch{watcher: int32(64*i + bits.TrailingZeros64(word)), at: longAgo})
		}
	}
	for _, rank := range all.settled {
		f(watch{watcher: rank, at: longAgo})
	}
	for _, w := range all.recent {
		f(watch{watcher: w.rank, at: w.at})
	}
}

// longAgo is before everything that happens in a run, and before what was so when it began.
const longAgo = -2 * clock.MaxCost
