// Package calibration measures the LogP parameters of the machine that it runs on, whatever that
// is: a network of processes, or the emulator, whose parameters it must find again exactly.
//
// Ranks 0 and 1 measure, and all others only make a crowd at the end. Rank 0 asks, notes times and decides what
// comes next; rank 1 answers what it gets. Only differences of one rank's own clock are used, so
// clocks need not agree. All times are in ticks.
//
// # What is measured
//
// The method is that of Culler, Liu, Martin and Yoshikawa ("Assessing fast network interfaces", IEEE
// Micro 1996): sends in a row, in rows that grow, and messages that are answered while the rank
// computes, for a time that grows.
//
//  1. Warm-up: small messages that go back and forth, and are not timed.
//  2. Bursts: rank 0 sends 2, 4, 8 and so on messages back to back. It notes the time from the end of its
//     first send to that of the last, and rank 1 the time from its first receive to the last.
//  3. Round trips of a small message, and how long its send takes, with a pause before each if that is
//     asked for.
//  4. Delays: rank 0 sends, computes for longer than a round trip, and receives the answer. It notes how
//     much longer that takes than the same computation without a message, before or after it, by turns.
//     An answer that is not there by then is late, and not counted.
//  5. Sizes: round trips with a payload on the way there and a small message on the way back.
//  6. A crowd, if there are four ranks or more: rank 0 sends to all others, one after the other, and
//     waits for all their answers.
//
// Between them rank 0 waits until the ports are free again, for which bursts have shown how long
// that takes.
//
// To compute is to look at the clock, a number of times. A rank that slept, or waited for an instant,
// would not notice what is taken from it meanwhile. On the emulator looking takes no time, and
// computing is waiting.
//
// # What follows from it
//
// On a LogP machine a send takes o, and the message is received o + L + o after it was begun. With
// medians of all samples,
//
//	2o+L  half a round trip
//	o     by how much a send more makes a row of sends longer (Theil-Sen), but no more than a send by itself takes
//	L     half a round trip, less 2o
//	g     the spacing of the longest bursts, on the side where it is longer
//	G     the slope of round trips over bytes (Theil-Sen)
//	S     what the crowd took, less half a round trip, for each of its messages but one
//
// S is the service time of a switch through which all messages go, or of whatever else all ranks
// share: on one host, processors. It shows only if the crowd takes a quarter longer than it would with
// the ports of rank 0 alone in the way.
//
// The time of a single send is not o on a real machine: where sender and receiver share processors, the receiver
// may be woken and go on in the middle of the send, which then takes nearly as long as the whole way there. So it
// is told apart ([Estimate.Send]), and counts only where it is shorter than the spacing of a row: there, that is g.
//
// What delays tell, [Estimate.Receive], is told apart, too, and is part of neither o nor L. The
// receiver's o is that of a port, which works beside the program in the last o before the message is in the
// mailbox: a program on the emulator feels nothing of it, and a receive takes no time. On processes it is
// another thread that receives. A rank that computes feels that where there is no processor left for
// both, but a rank that waits, as in a round trip, does not. The model has one o for both sides; so what
// a receiver takes longer than a sender is part of L here.
//
// A gap g up to o has no effect on a machine, and is not to be seen: the spacing of its bursts is o.
// So what is found is max(o,g), which makes the same machine. On a network with a bottleneck it may
// be that of the bottleneck. L is the latency between ranks 0 and 1.
//
// Medians stand it that nearly half of the samples are far off, the slope that two of nine sizes are.
//
// # How well it is known
//
// Samples are divided into six stretches, by the time at which they were taken, and each has an estimate of its own.
// An interval goes from the lowest to the highest. If stretches differ by chance only, each is as likely to be too
// high as too low, and all six are on one side in 1 of 32 cases, whatever the distribution of times.
// Estimates of one run have much in common, such as the processors that processes are on. [Together]
// makes intervals of several runs instead, each with processes of its own where that can be had. On the emulator all stretches agree, and
// intervals are points.
//
// If an interval of L or o reaches 0, they cannot be separated ([Estimate.Separable]), and what is known is 2o+L
// and the spacing of sends. [Estimate.LogP] has these right in any case.
//
// # Failures
//
// If one of the two ranks fails, the other one may wait for ever. What was measured until then is
// there.
//
// Next: calibration.go is the program, estimate.go the arithmetic, quantity.go the intervals.
package calibration
