package snapshot

import (
	"slices"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

const (
	money  mailbox.Kind = iota // A is how much
	marker                     // parts the messages of a link: what comes before it counts as under way, what comes after it does not
)

// Recorded is the part of a snapshot that one rank has recorded.
type Recorded struct {
	State    int64   // that of the rank
	Channels []int64 // what was under way to it, by sender
	Complete bool
}

// recorder takes part in a snapshot (Chandy and Lamport, "Distributed Snapshots", 1985) for a rank. Links must keep messages in order.
type recorder struct {
	protocols.Proc
	part    *Recorded
	waiting []bool // from whom a marker is still to come; nil before the snapshot
}

// begin records the rank's state and says so on all links before anything else is sent there.
func (r *recorder) begin(state int64) {
	r.part.State = state
	r.part.Channels = make([]int64, r.Size())
	r.waiting = make([]bool, r.Size())
	for rank := range r.Size() {
		if rank != r.Rank() {
			r.waiting[rank] = true
			r.Send(rank, mailbox.Message{Kind: marker})
		}
	}
}

// marked takes a marker. The first one has the rank begin; each ends what is recorded of its link.
func (r *recorder) marked(from int, state int64) {
	if r.waiting == nil {
		r.begin(state)
	}
	r.end(from)
	r.part.Complete = !slices.Contains(r.waiting, true)
}

// received takes an amount that was under way when the snapshot was taken.
func (r *recorder) received(from int, amount int64) {
	if r.waiting != nil && r.waiting[from] {
		r.part.Channels[from] += amount
	}
}
