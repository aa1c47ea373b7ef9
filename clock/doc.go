// Package clock defines virtual time: ticks, the LogP and LogGP parameters of a
// machine, its send and receive ports, and network models.
//
// # Units
//
// A [Time] is a whole number of ticks. Every cost is a whole number of ticks, too, so
// no run depends on rounding. Wall-clock time is always a time.Duration and never
// shares a column with ticks.
//
// # One message
//
// Each rank has one send port and one receive port. They work at the same time; each
// serves one message at a time. With latency L, overhead o, gap g and G ticks for each
// byte after the first, a message of b bytes goes through these instants:
//
//	t                          its send starts, when the program asks and the port is free
//	t + o                      the program goes on; the message is now irrevocably sent
//	t + max(o,g) + (b-1)G      the send port is free again
//	t + o + (b-1)G + L         its last byte arrives at the other side
//	s >= arrival               its receive starts, when the receive port is free
//	s + o                      it is in the mailbox
//	s + max(o,g)               the receive port is free again
//
// A message without payload counts as one byte. With g <= o and G = 0 (the setting of
// the Corrected Trees and Corrected Gossip papers) a message therefore takes 2o+L, and
// a port that is never idle handles one message every o ticks.
//
// # Lookahead
//
// No message can be in a mailbox earlier than 2o+L after its send started, where L is
// the smallest latency of the network, and o the smallest overhead if it differs. Within a window of that length no rank can hear
// of what another does in the same window, which is what lets package emu run whole
// windows in parallel. A [Network] therefore states its smallest latency.
//
// # Networks
//
// [Uniform] is that of the LogP model. On a [Torus] (or mesh) and in a [FatTree] latency
// depends on the distance of the two ranks. Ranks that share [Nodes] have a latency and an overhead
// of their own. A [Switch] serves one message at a time, and
// [Calibrate] makes one of measurements.
//
// # Errors
//
// What cannot be is refused with an error that lists every problem, here and in the packages
// above. Each problem is an error of its own, behind Unwrap() []error, for those who show
// them in another way: see the example of [LogP.Validate].
//
// Next: package mailbox for messages, package emu for the machine built on both.
package clock
