package tree

import "github.com/mangrove-emu/mangrove/clock"

// cut is what the end of the ranks does to the last wave of an interleaved tree: only the
// first of its ranks exist. They are the children of the first senders of the phase
// before: those of whole waves, and those at the start of one more wave. The latter are
// again the children of the first senders of a phase, and so on. Each cut is one such
// generation: all waves of a phase before the slot, and the first extra ranks at the slot.
type cut struct {
	place
	extra int
}

// newCut follows the last wave back to where the cut falls between waves.
func newCut(g *growth) []cut {
	last := g.place(len(g.places) - 1)
	if last == (place{}) {
		return nil
	}
	var cuts []cut
	for at, extra := last, g.ranks-int(g.starts[len(g.starts)-1]); extra > 0; {
		phase, _ := g.sources(at)
		at, extra = g.sender(phase, extra)
		cuts = append(cuts, cut{at, extra})
	}
	return cuts
}

// Subtree: the subtree of a rank is a copy of the whole tree that starts when the rank is
// reached. So its share of the waves before the last is known, and likewise its share of
// the senders to the last wave.
func (t *grown) Subtree(rank int) int {
	w, last := t.waveOf(rank), t.place(len(t.places)-1)
	if w == last {
		return 1
	}
	total := t.reachedBefore(t.time(last) - t.time(w))
	for _, c := range t.cut {
		if c.place == w && t.index(rank, w) < c.extra {
			return total + 1
		}
		total += t.sendingBelow(w, place{c.phase, c.slot - 1})
	}
	return total
}

// sendingBelow is how many ranks send, when wave at has joined its phase, of those in its
// phase that descend from one rank of wave top.
func (t *grown) sendingBelow(top, at place) int {
	phase := at.phase - top.phase
	if phase < 0 {
		phase += t.cycle
	}
	if at.slot < 0 || phase >= len(t.phases) {
		return 0
	}
	elapsed := t.time(at) - t.time(top) - clock.Time(phase)*t.delay
	if elapsed < 0 {
		return 0
	}
	return t.sending(phase, int(elapsed/t.step))
}
