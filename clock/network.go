package clock

import "fmt"

// Network says how long a message is under way between two ranks.
//
// A Network must be a pure function of its arguments and safe for concurrent use.
type Network interface {
	// Latency is the time from the last byte leaving from to its arrival at to.
	Latency(from, to int) Time
	// MinLatency is a lower bound, at least 1, of Latency over all pairs. The larger it
	// is, the longer are the windows in which ranks run undisturbed.
	MinLatency() Time
}

// Sized is a network with a number of nodes, above which there can be no ranks.
type Sized interface {
	Network
	Nodes() int
}

// Bounded is a network on which no message is under way for longer than MaxLatency, between
// whatever ranks. Protocols that wait for a time may take that for the latency.
type Bounded interface {
	Network
	MaxLatency() Time
}

// Contended is a network with a bottleneck that serves one message at a time, in the order in
// which they reach it; of those that reach it at the same time, that of the lower rank first.
// A message reaches it some time after it has left its sender, occupies it for service, and
// arrives some time after that. All three are the same for all pairs, none is negative, and
// together they are the Latency of a message that need not wait.
//
// What others send may hold a message up without limit, so such a network is not Bounded.
type Contended interface {
	Network
	Bottleneck() (before, service, after Time)
}

// Uniform is the network of the LogP model: the same latency between any two ranks.
type Uniform Time

// Latency returns the same for every pair.
func (u Uniform) Latency(from, to int) Time { return Time(u) }

// MinLatency returns the latency.
func (u Uniform) MinLatency() Time { return Time(u) }

// MaxLatency returns the latency.
func (u Uniform) MaxLatency() Time { return Time(u) }

// String names the model and its latency.
func (u Uniform) String() string { return fmt.Sprintf("uniform network, latency %d", Time(u)) }

// Lookahead is the length of a window in which no rank can hear of what another does: the shortest time from the start of
// a send to the arrival of its message, and the shortest receive.
func Lookahead(p LogP, n Network) Time {
	least, _ := Overheads(p, n)
	arrives := p.Overhead + n.MinLatency()
	if nodes, ok := n.(Nodes); ok {
		arrives = min(p.Overhead+nodes.Between.MinLatency(), nodes.Inside.Overhead+nodes.Inside.Latency)
	}
	return arrives + least
}
