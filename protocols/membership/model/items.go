package model

import "github.com/mangrove-emu/mangrove/clock"

// Items is what a stabilization time has consisted of, along the path that took it.
type Items struct {
	Levels int // parents and children on the path

	// What models predict.
	Latency clock.Time // messages are under way, down and up
	Compute clock.Time // ranks recalculate their view, the last one as well

	// What they leave out.
	Overheads clock.Time // o for each send and each receive on the path
	Sends     clock.Time // the path's child was not the first to be sent to: max(o,g) for each before it
	Bytes     clock.Time // changes of more than a byte keep the send port busy: G for each further byte
	Waits     clock.Time // the rest: a port, a rank or the network was busy with something else
}

// Total is all of it.
func (i Items) Total() clock.Time { return i.Latency + i.Compute + i.Unmodelled() }

// Unmodelled is what models leave out.
func (i Items) Unmodelled() clock.Time { return i.Overheads + i.Sends + i.Bytes + i.Waits }
