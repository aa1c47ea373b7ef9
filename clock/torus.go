package clock

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Torus is a network of nodes in three dimensions, each connected to its neighbours in
// every direction. A message goes the shortest way, and is under way for PerHop on every
// link of it; there is no contention. One to the sender itself takes as long as one hop.
//
// Ranks are the first nodes in the Order. There may be fewer of them than nodes.
type Torus struct {
	X, Y, Z int  // the number of nodes in each dimension, at least 1
	PerHop  Time // the latency of a link, at least 1
	Mesh    bool // there are no links from the last node of a row back to the first
	Order   Order
}

// Validate returns an error that lists every parameter out of range, or nil.
func (t Torus) Validate() error {
	var wrong problems.List
	problems.Range(&wrong, "nodes in x", t.X, 1, MaxRanks, "nodes")
	problems.Range(&wrong, "nodes in y", t.Y, 1, MaxRanks, "nodes")
	problems.Range(&wrong, "nodes in z", t.Z, 1, MaxRanks, "nodes")
	problems.Range(&wrong, "latency per hop", t.PerHop, 1, MaxCost, "ticks")
	if int(t.Order) >= len(orders) {
		wrong.Add("order = %d, want %d (xyz) to %d (zyx)", t.Order, XYZ, ZYX)
	}
	if wrong == nil { // products of valid numbers
		problems.Range(&wrong, "nodes in all", Time(t.X).Times(t.Y).Times(t.Z), 1, MaxRanks, "nodes")
		problems.Range(&wrong, "longest latency", t.MaxLatency(), 1, MaxCost, "ticks")
	}
	return wrong.Err("clock")
}

// Nodes is how many nodes there are.
func (t Torus) Nodes() int { return t.X * t.Y * t.Z }

// Coordinates says where a rank is. There must be such a node.
func (t Torus) Coordinates(rank int) (x, y, z int) {
	var at [3]int
	for _, axis := range orders[t.Order].axes {
		at[axis] = rank % t.size(axis)
		rank /= t.size(axis)
	}
	return at[0], at[1], at[2]
}

// size is the number of nodes in a dimension, of which x is 0.
func (t Torus) size(axis uint8) int {
	switch axis {
	case 0:
		return t.X
	case 1:
		return t.Y
	}
	return t.Z
}

// Hops is the number of links between two ranks. It is asked for every message, on the small
// stacks of ranks, so it makes do without Coordinates.
func (t Torus) Hops(from, to int) int {
	hops := 0
	for _, axis := range orders[t.Order].axes {
		size := t.size(axis)
		hops += t.along(from%size-to%size, size)
		from, to = from/size, to/size
	}
	return hops
}

// along is the number of links in one dimension between nodes that far apart.
func (t Torus) along(distance, size int) int {
	distance = max(distance, -distance)
	if t.Mesh {
		return distance
	}
	return min(distance, size-distance)
}

// Latency is PerHop for every hop, of which there is at least one.
func (t Torus) Latency(from, to int) Time { return t.PerHop * Time(max(1, t.Hops(from, to))) }

// MinLatency is that of one hop.
func (t Torus) MinLatency() Time { return t.PerHop }

// MaxLatency is that of the longest way between any two nodes.
func (t Torus) MaxLatency() Time {
	farthest := 0
	for _, size := range [...]int{t.X, t.Y, t.Z} {
		if t.Mesh {
			farthest += size - 1
		} else {
			farthest += size / 2
		}
	}
	return t.PerHop.Times(max(1, farthest))
}

// String names the model with all parameters.
func (t Torus) String() string {
	kind := "torus"
	if t.Mesh {
		kind = "mesh"
	}
	return fmt.Sprintf("%dx%dx%d %s, order %v, latency %d per hop", t.X, t.Y, t.Z, kind, t.Order, t.PerHop)
}
