package clock

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Nodes is a network whose ranks share nodes. Messages between two ranks of a node have a latency of their own, and cost their
// sender and their receiver an overhead of their own. Those of a rank to itself are among them. Others go by the network
// between nodes, at the overhead of the machine. The gap, and that of each further byte, are the same for both.
//
// Ranks are in blocks, the first ones in node 0, which are as even as possible: none has two ranks more than another.
type Nodes struct {
	Ranks, Nodes int     // each node has one rank or more
	Between      Bounded // latencies from node to node
	Inside       Local
}

// Local is what is different inside a node.
type Local struct {
	Latency  Time // at least 1
	Overhead Time // at least 1
}

var _ Bounded = Nodes{}

// Validate returns an error that lists every parameter out of range, or nil.
func (n Nodes) Validate() error {
	if between, ok := n.Between.(interface{ Validate() error }); ok {
		if _, nodes := n.Between.(Nodes); !nodes {
			if err := between.Validate(); err != nil {
				return err // the rest would follow from it
			}
		}
	}
	var wrong problems.List
	problems.Range(&wrong, "ranks", n.Ranks, 1, MaxRanks, "ranks")
	problems.Range(&wrong, "nodes", n.Nodes, 1, max(1, min(n.Ranks, MaxRanks)), "nodes")
	problems.Range(&wrong, "latency inside a node", n.Inside.Latency, 1, MaxCost, "ticks")
	problems.Range(&wrong, "overhead inside a node", n.Inside.Overhead, 1, MaxCost, "ticks")
	switch n.Between.(type) {
	case nil:
		wrong.Add("no network between nodes")
	case Nodes:
		wrong.Add("nodes between nodes, want another network")
	}
	if sized, ok := n.Between.(Sized); ok && wrong == nil {
		wrong.Check(n.Nodes <= sized.Nodes(), "nodes = %d nodes, want 1 to %d, those of the network between them", n.Nodes, sized.Nodes())
	}
	return wrong.Err("clock")
}

// Node is where a rank is.
func (n Nodes) Node(rank int) int { return rank * n.Nodes / n.Ranks }

// Shared reports whether two ranks are in the same node.
func (n Nodes) Shared(a, b int) bool { return n.Node(a) == n.Node(b) }

// Latency is that inside a node, or from one node to another.
func (n Nodes) Latency(from, to int) Time {
	here, there := n.Node(from), n.Node(to)
	if here == there {
		return n.Inside.Latency
	}
	return n.Between.Latency(here, there)
}

// MinLatency is a lower bound of both.
func (n Nodes) MinLatency() Time { return min(n.Inside.Latency, n.Between.MinLatency()) }

// MaxLatency is an upper bound of both.
func (n Nodes) MaxLatency() Time { return max(n.Inside.Latency, n.Between.MaxLatency()) }

// String names the model with all parameters.
func (n Nodes) String() string {
	return fmt.Sprintf("%d nodes, latency %d and overhead %d inside; between them %v", n.Nodes, n.Inside.Latency, n.Inside.Overhead, n.Between)
}

// CostsBetween is what ports charge for a message from one rank to another.
func CostsBetween(p LogP, n Network, from, to int) Costs {
	if nodes, ok := n.(Nodes); ok && nodes.Shared(from, to) {
		p.Overhead = nodes.Inside.Overhead
	}
	return p.Costs()
}

// Overheads are the smallest and the largest that a message may cost its sender and its receiver.
func Overheads(p LogP, n Network) (least, most Time) {
	if nodes, ok := n.(Nodes); ok {
		return min(p.Overhead, nodes.Inside.Overhead), max(p.Overhead, nodes.Inside.Overhead)
	}
	return p.Overhead, p.Overhead
}
