// Package tuning computes how long to gossip before correcting: the expected spread of
// gossip, the longest gap it leaves on the ring of ranks, and from both the end of gossip
// that makes a broadcast quickest. It is arithmetic only; nothing here sends.
//
// # What is modelled
//
// Gossip starts at the root at 0. A rank that has the message is coloured; from that
// instant on it begins a message to a random other rank whenever its port is free, every
// max(o,g) ticks, but none at T or later. At T+L+o the messages under way have arrived, and the ranks
// coloured until then, the g-nodes, correct: each sends to its neighbours on the ring, to
// both sides in turn (Corrected Gossip, section III). Ranks that are down from the start
// are never coloured; their place on the ring stays a gap. The root is up.
//
//	Plain           gossip alone, long enough to leave out less than delta ranks
//	Opportunistic   every g-node sends a fixed number of correction messages
//	Checked         g-nodes correct until they have met both neighbours
//	FailureProof    g-nodes correct until they know f+1 others on either side
//
// # Where to start
//
// [Tune] returns the best [Plan] for a machine and a [Goal]; [Sweep] returns those for a
// range of T, to plot. Both build on a [Curve], how many ranks gossip has reached, and a
// [Ring], how far apart the g-nodes are. [PerRun] turns the risk of a series of broadcasts
// into that of one.
//
// # How far to trust it
//
// The chances are approximations that take neighbouring ranks, and gaps, for independent.
// They are good where gossip has reached most ranks, which is where the best T lies, and
// poor where it has reached a handful. The paper therefore adds a message to T and to the
// correction; [Goal] has fields for both.
//
// With g <= o and L a multiple of o, the setting of the paper, all values are those of its
// equations 1 to 5. The comments say how each was extended to other machines: o is
// replaced by max(o,g) wherever it stands for the time between two messages of one rank.
//
// # Units
//
// Times are ticks of clock.Time. Expected numbers of ranks and messages are float64.
package tuning
