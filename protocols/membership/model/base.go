package model

import "github.com/mangrove-emu/mangrove/clock"

// Base is the base model of the thesis, equations 4.1 and 4.2: T_s = 2*L*(H-1) + O_cp*H, in a
// tree of that many levels, at least one.
func Base(latency, compute clock.Time, height int) clock.Time {
	return (2 * latency).Times(height-1) + compute.Times(height)
}

// Contention is the base model with the latency at that number of nodes for L (sections 6.1.2
// and 6.1.3). Each number of children has a curve of its own there.
func Contention(curve *clock.Curve, nodes, height int, compute clock.Time) clock.Time {
	return Base(curve.At(nodes), compute, height)
}
