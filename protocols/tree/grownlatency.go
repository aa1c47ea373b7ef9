package tree

import "github.com/mangrove-emu/mangrove/clock"

// Latency on any machine: a message to depth a in a wave has taken a deliveries and waited
// for the sender's port in all other steps, so its time is linear in a, and the last to
// hear is one of the least or of the greatest depth in its wave. A later wave of the same
// phase has the same depths and more, each with more waiting, so the last full wave of
// each phase and the cut one suffice.
func (t grown) Latency(p clock.LogP) clock.Time {
	var latest clock.Time
	last := t.place(len(t.places) - 1)
	for phase := range t.phases {
		w := place{phase, len(t.phases[phase]) - 1}
		if w == last {
			w.slot--
		}
		if w.slot >= 0 {
			latest = max(latest, t.reached(w, t.leastDepth(w), p), t.reached(w, t.greatestDepth(w), p))
		}
	}
	for i, c := range t.cuts() {
		if c.slot > 0 {
			least := t.leastDepth(place{c.phase, 0}) + i + 1
			greatest := t.greatestDepth(place{c.phase, c.slot - 1}) + i + 1
			latest = max(latest, t.reached(last, least, p), t.reached(last, greatest, p))
		}
	}
	return latest
}

// reached is when a rank of that depth in the wave has received the message.
func (g *growth) reached(w place, depth int, p clock.LogP) clock.Time {
	waits := (g.time(w) - clock.Time(depth)*g.delay) / g.step
	return clock.Time(depth)*p.Delivery() + waits*p.Costs().Spacing
}

// leastDepth of the ranks of a wave is the number of its phase; a wave of phase 0 after
// the root has been through all others.
func (g *growth) leastDepth(w place) int {
	if w.phase == 0 && w.slot > 0 {
		return g.cycle
	}
	return w.phase
}

// greatestDepth of the ranks of a wave: in the time of lap steps, one can also get cycle
// ranks deeper.
func (g *growth) greatestDepth(w place) int {
	return w.phase + g.beat(w)/g.lap*g.cycle
}

// cuts are what the end of the ranks does to the last wave of an interleaved tree: only the
// first of its ranks exist. They are the children of the first senders of the phase
// before: those of whole waves, and those at the start of one more wave. The latter are
// again the children of the first senders of a phase, and so on, until the cut falls between
// waves. Each cut is one such generation: all waves of a phase before the slot, and the first
// extra ranks at the slot.
func (g *growth) cuts() (cuts []place) {
	last := g.place(len(g.places) - 1)
	if last == (place{}) {
		return nil
	}
	for at, extra := last, g.ranks-int(g.starts[len(g.starts)-1]); extra > 0; {
		phase, _ := g.sources(at)
		at, extra = g.sender(phase, extra)
		cuts = append(cuts, at)
	}
	return cuts
}
