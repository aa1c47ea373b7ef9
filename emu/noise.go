package emu

import "github.com/mangrove-emu/mangrove/clock"

// noisy returns the costs of an operation that starts at some instant, with what noise adds.
func (r *rank) noisy(start clock.Time, costs *clock.Costs) clock.Costs {
	noise := r.m.cfg.Noise
	return costs.Longer(noise.Lengthen(noise.Stream(r.m.seed, int(r.id)), start, costs.Overhead))
}

// sendInNoise occupies the send port. It stays out of transmit, whose frame is to be small.
//
//go:noinline
func (r *rank) sendInNoise(start clock.Time, bytes int, costs *clock.Costs) (resumed, left clock.Time) {
	longer := r.noisy(start, costs)
	return r.send.Send(start, bytes, &longer)
}

// receiveInNoise occupies the receive port. Messages come out of it in the order in which they came in: whoever starts
// earlier has had its processor for as long at least.
//
//go:noinline
func (r *rank) receiveInNoise(start clock.Time, costs *clock.Costs) (received clock.Time) {
	longer := r.noisy(start, costs)
	return r.recv.Receive(start, &longer)
}
