package emu_test

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/splitmix"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// carry puts a message under way that leaves its sender then, and lets happen to it what the schedule says.
func (r *refRank) carry(to int, left clock.Time, msg mailbox.Message) {
	m := r.m
	m.sent++
	a := refArrival{from: r.id, to: to, order: m.sent, msg: msg}
	met := r.met(to, left)
	lost := slices.ContainsFunc(met, func(f faults.Fault) bool { return f.Kind == faults.Lose })
	if cut := m.isCut(r.id, to, left); cut || lost {
		kind := report.EventDrop
		if cut {
			kind = report.EventCut
		}
		m.note(left, r.id, kind, to, msg)
		m.quiescence = max(m.quiescence, left)
		return
	}
	late := clock.Time(0)
	for _, f := range met {
		if f.Kind == faults.Late {
			late += f.Delay
		}
	}
	if late > 0 {
		m.events = append(m.events, report.Event{Time: left, Rank: r.id, Kind: report.EventLate, Peer: to, A: int64(late)})
	}
	if m.jitter != nil {
		stream := splitmix.At(m.seed, 0x6a69747465720000+uint64(r.id))
		late += m.jitter.Delay(splitmix.At(stream, uint64(r.sends)+1))
	}
	leaves := left + late // as if its sender had sent it later
	if link := [2]int{r.id, to}; !m.unordered {
		leaves = max(leaves, m.arrived[link])
		m.arrived[link] = leaves
	}
	m.launch(leaves, a)
	for _, f := range met {
		if f.Kind == faults.Twice {
			m.events = append(m.events, report.Event{Time: left, Rank: r.id, Kind: report.EventTwice, Peer: to, A: int64(f.Delay)})
			m.launch(leaves+f.Delay, a)
		}
	}
}

// met are the faults that happen to a message: those of its send first.
func (r *refRank) met(to int, left clock.Time) (all []faults.Fault) {
	n := r.sends + 1
	for _, f := range r.faults {
		if f.Kind > faults.Mend && f.At.N == n && !r.fired[f] {
			r.fired[f] = true
			all = append(all, f)
		}
	}
	for _, f := range r.m.schedule {
		if f.Kind > faults.Mend && f.Right != "" && r.m.over(f, r.id, to) && f.At.Time <= left && (f.Until == 0 || left < f.Until) {
			all = append(all, f)
		}
	}
	return all
}

// over reports whether a message goes over the links of a fault.
func (m *reference) over(f faults.Fault, from, to int) bool {
	in := func(rank int, side, other faults.Group) bool {
		if side == faults.Others {
			return !slices.Contains(other.Ranks(), rank)
		}
		return slices.Contains(side.Ranks(), rank)
	}
	there := in(from, f.Left, f.Right) && in(to, f.Right, f.Left)
	back := in(to, f.Left, f.Right) && in(from, f.Right, f.Left)
	return there || back && !f.OneWay
}

// isCut reports whether a message that leaves then is lost on a link that is cut: nobody has mended it since.
func (m *reference) isCut(from, to int, left clock.Time) (cut bool) {
	since := clock.Time(-1)
	for _, f := range m.schedule {
		if (f.Kind == faults.Cut || f.Kind == faults.Mend) && f.At.Time <= left && f.At.Time >= since && m.over(f, from, to) {
			since, cut = f.At.Time, f.Kind == faults.Cut
		}
	}
	return cut
}

// inNoise adds what an operation takes longer because the processor is taken away, tick by tick.
func (r *refRank) inNoise(start clock.Time, costs clock.Costs) clock.Costs {
	if r.m.noise == nil {
		return costs
	}
	stream := splitmix.At(r.m.seed, 0x6e6f697365000000+uint64(r.id))
	end := start
	for had := clock.Time(0); had < costs.Overhead; end++ {
		if r.m.noise.Lengthen(stream, end, 1) == 0 { // it has its processor for this tick
			had++
		}
	}
	costs.Overhead = end - start
	costs.Spacing = max(costs.Spacing, costs.Overhead)
	if !r.m.logp.ManyReceives {
		costs.Receiving = costs.Spacing
	}
	return costs
}
