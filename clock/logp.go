package clock

import "github.com/mangrove-emu/mangrove/internal/problems"

// The largest values Validate accepts. They leave room for the longest operation, slowed
// down a million times, at the end of the longest run.
const (
	MaxRanks = 1<<31 - 1
	MaxCost  = Time(1) << 40
)

// LogP holds the parameters of a machine: LogP with the per-byte extension of LogGP.
// All costs are in ticks.
type LogP struct {
	Ranks    int  `json:"ranks"`    // P: number of ranks
	Latency  Time `json:"latency"`  // L: network latency, at least 1
	Overhead Time `json:"overhead"` // o: time a rank spends on sending and on receiving a message, at least 1
	Gap      Time `json:"gap"`      // g: least time between two sends, or two receives; no effect up to o
	PerByte  Time `json:"per_byte"` // G: send port time for each byte after the first

	// ManyReceives lets a rank receive any number of messages at the same time, each in o.
	// This is not LogP, but what Corrected Gossip's figures assume: under LogP, ranks to which
	// everybody sends at random receive as fast as they can, and lag behind.
	ManyReceives bool `json:"many_receives,omitempty"`
}

// Validate returns an error that lists every parameter out of range, or nil.
func (p LogP) Validate() error {
	var wrong problems.List
	problems.Range(&wrong, "ranks P", p.Ranks, 1, MaxRanks, "ranks")
	problems.Range(&wrong, "latency L", p.Latency, 1, MaxCost, "ticks")
	problems.Range(&wrong, "overhead o", p.Overhead, 1, MaxCost, "ticks")
	problems.Range(&wrong, "gap g", p.Gap, 0, MaxCost, "ticks")
	problems.Range(&wrong, "per-byte gap G", p.PerByte, 0, MaxCost, "ticks")
	return wrong.Err("clock")
}

// Delivery is the time from the start of a one-byte send to the message being in an
// idle receiver's mailbox, 2o+L.
func (p LogP) Delivery() Time { return 2*p.Overhead + p.Latency }

// Costs returns what the ports of a rank of this machine charge.
func (p LogP) Costs() Costs {
	c := Costs{
		Overhead: p.Overhead,
		Spacing:  max(p.Overhead, p.Gap),
		PerByte:  p.PerByte,
	}
	if !p.ManyReceives {
		c.Receiving = c.Spacing
	}
	return c
}
