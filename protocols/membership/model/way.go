package model

// A way is what a message takes if nothing is in its way, from the instant at which its sender could
// begin to send to the one at which its receiver has it.

// wayDown is that of a change from a rank to its slowest child. The same message goes to the
// children before, each time with all its bytes.
func (p *path) wayDown(rank int) Items {
	here := &p.records[rank].Last
	return Items{
		Sends:     p.costs.Spacing.Times(here.Turn),
		Bytes:     p.costs.Stretch(len(here.Changes)).Times(here.Turn + 1),
		Overheads: 2 * p.costs.Overhead,
		Latency:   p.network.Latency(rank, here.Slowest),
	}
}

// wayUp is that of the child's acknowledgement. It is empty unless there is further news, whose
// bytes count as waiting: no record has their number.
func (p *path) wayUp(rank int) Items {
	return Items{
		Overheads: 2 * p.costs.Overhead,
		Latency:   p.network.Latency(p.records[rank].Last.Slowest, rank),
	}
}
