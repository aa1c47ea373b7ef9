package report

import "github.com/mangrove-emu/mangrove/clock"

// Overhead is how long the port of a rank is busy with the overhead of a message from it or to it, if that starts then: o, or that of
// their node, times the factor by which the rank is slow, and what noise adds.
func (r *Report) Overhead(rank, peer int, start clock.Time, factor int) clock.Time {
	needs := clock.CostsBetween(r.LogP, r.Network, rank, peer).Overhead.Times(factor)
	if r.Noise == nil {
		return needs
	}
	return needs + r.Noise.Lengthen(r.Noise.Stream(r.Seed, rank), start, needs)
}
