package tree

import "sort"

// grown is the interleaved numbering of a growth: whenever a message is delivered, the
// next rank is the receiver, senders with lower ranks first (Corrected Trees, section
// 3.2.2). If the delay is a multiple of the step, this is equation (2) of the paper.
type grown struct{ *growth }

// Child: a rank keeps its place among the senders of its phase, since others join behind,
// and so has the same place in every wave that it sends to.
func (t grown) Child(rank, i int) (int, bool) {
	w := t.waveOf(rank)
	to := t.targets(w)
	if to.phase >= len(t.phases) || i >= len(t.phases[to.phase])-to.slot {
		return 0, false
	}
	child := int(t.phases[to.phase][to.slot+i].first) + t.before(w) + t.index(rank, w)
	return child, child < t.ranks
}

// Parent has the place among the senders that rank has in its wave.
func (t grown) Parent(rank int) (int, bool) {
	if rank == 0 {
		return 0, false
	}
	w := t.waveOf(rank)
	phase, _ := t.sources(w)
	from, index := t.sender(phase, t.index(rank, w))
	return int(t.phases[phase][from.slot].first) + index, true
}

// index is the place of a rank in its wave.
func (g *growth) index(rank int, w place) int {
	return rank - int(g.phases[w.phase][w.slot].first)
}

// sender finds the i-th rank of a phase: its wave and its place in that wave. If i is the
// number of ranks in the phase, that is the first place of a wave to come.
func (g *growth) sender(phase, i int) (w place, index int) {
	waves := g.phases[phase]
	slot := sort.Search(len(waves), func(s int) bool { return int(waves[s].senders) > i })
	w = place{phase, slot}
	return w, i - g.before(w)
}
