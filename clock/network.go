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

// Uniform is the network of the LogP model: the same latency between any two ranks.
type Uniform Time

// Latency returns the same for every pair.
func (u Uniform) Latency(from, to int) Time { return Time(u) }

// MinLatency returns the latency.
func (u Uniform) MinLatency() Time { return Time(u) }

// String names the model and its latency.
func (u Uniform) String() string { return fmt.Sprintf("uniform network, latency %d", Time(u)) }

// Lookahead is the length of a window in which no rank can hear of what another does:
// the shortest time from the start of a send to the delivery of its message.
func Lookahead(p LogP, n Network) Time { return 2*p.Overhead + n.MinLatency() }
