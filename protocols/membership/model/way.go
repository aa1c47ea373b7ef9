package model

import "github.com/mangrove-emu/mangrove/clock"

// way is what a message takes if nothing is in its way, from the instant at which its sender
// could begin to send to the one at which its receiver has it.
type way struct{ sends, bytes, overheads, latency clock.Time }

func (w way) all() clock.Time { return w.sends + w.bytes + w.overheads + w.latency }

func (i *Items) add(w way) {
	i.Sends += w.sends
	i.Bytes += w.bytes
	i.Overheads += w.overheads
	i.Latency += w.latency
}

// wayDown is that of a change from a rank to its slowest child. The same message goes to the
// children before, each time with all its bytes.
func (p *path) wayDown(rank int) way {
	here := &p.records[rank].Last
	return way{
		sends:     p.costs.Spacing.Times(here.Turn),
		bytes:     p.costs.Stretch(len(here.Changes)).Times(here.Turn + 1),
		overheads: 2 * p.costs.Overhead,
		latency:   p.network.Latency(rank, here.Slowest),
	}
}

// wayUp is that of the child's acknowledgement. It is empty unless there is further news, whose
// bytes count as waiting: no record has their number.
func (p *path) wayUp(rank int) way {
	return way{
		overheads: 2 * p.costs.Overhead,
		latency:   p.network.Latency(p.records[rank].Last.Slowest, rank),
	}
}
