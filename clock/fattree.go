package clock

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// FatTree is a network of switches in levels. Ranks are the leaves below switches of the
// first level, Arity below each, and so are these below switches of the second. A message
// goes up to the lowest switch that both ranks are below, and down again; links grow fatter
// towards the top, so there is no contention.
type FatTree struct {
	Arity  int  // ranks below each switch of the first level, and switches below others; at least 2
	Levels int  // at least 1
	PerHop Time // the latency of a link, at least 1
}

// maxLevels is how many levels of the smallest arity, 2, have no more leaves than MaxRanks.
const maxLevels = 30

// Validate returns an error that lists every parameter out of range, or nil.
func (f FatTree) Validate() error {
	var wrong problems.List
	problems.Range(&wrong, "arity", f.Arity, 2, MaxRanks, "leaves")
	problems.Range(&wrong, "levels", f.Levels, 1, maxLevels, "levels")
	problems.Range(&wrong, "latency per hop", f.PerHop, 1, MaxCost, "ticks")
	if wrong == nil { // products of valid numbers
		problems.Range(&wrong, "nodes in all", f.leaves(), 1, MaxRanks, "nodes")
		problems.Range(&wrong, "longest latency", f.MaxLatency(), 1, MaxCost, "ticks")
	}
	return wrong.Err("clock")
}

// Nodes is how many leaves there are.
func (f FatTree) Nodes() int { return int(f.leaves()) }

// leaves is Arity to the power of Levels, Forever at most.
func (f FatTree) leaves() Time {
	leaves := Time(1)
	for range f.Levels {
		leaves = leaves.Times(f.Arity)
	}
	return leaves
}

// Hops is the number of links between two ranks: twice the level of the lowest switch that
// both are below. A message of a rank to itself goes by the first switch.
func (f FatTree) Hops(from, to int) int {
	level := 1
	for from, to = from/f.Arity, to/f.Arity; from != to; from, to = from/f.Arity, to/f.Arity {
		level++
	}
	return 2 * level
}

// Latency is PerHop for every hop.
func (f FatTree) Latency(from, to int) Time { return f.PerHop * Time(f.Hops(from, to)) }

// MinLatency is that between two ranks below the same switch.
func (f FatTree) MinLatency() Time { return 2 * f.PerHop }

// MaxLatency is that by way of the topmost switch.
func (f FatTree) MaxLatency() Time { return f.PerHop.Times(2 * f.Levels) }

// String names the model with all parameters.
func (f FatTree) String() string {
	return fmt.Sprintf("fat tree of arity %d, %d levels, latency %d per hop", f.Arity, f.Levels, f.PerHop)
}
