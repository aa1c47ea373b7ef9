// Package calibration measures the LogP parameters of the machine that it runs on, whatever that
// is: a network of processes, or the emulator, whose parameters it must find again exactly.
//
// Ranks 0 and 1 measure, and all others only make a crowd at the end. Rank 0 asks, notes times and decides what
// comes next; rank 1 answers what it gets. Only differences of one rank's own clock are used, so
// clocks need not agree. All times are in ticks.
//
// # What is measured
//
//  1. Warm-up: small messages that go back and forth, and are not timed.
//  2. Bursts: rank 0 sends messages back to back. It notes the time from the end of its first send
//     to that of the last, and rank 1 the time from its first receive to the last.
//  3. Round trips of a small message, and how long its send takes, with a pause before each if that is
//     asked for.
//  4. Receives: how long it takes to receive a message that is there. Rank 0 waits for longer than
//     a round trip first; a message that has not come by then is late, and not counted.
//  5. Sizes: round trips with a payload on the way there and a small message on the way back.
//  6. A crowd, if there are four ranks or more: rank 0 sends to all others, one after the other, and
//     waits for all their answers.
//
// Between them rank 0 waits until the ports are free again, for which bursts have shown how long
// that takes.
//
// # What follows from it
//
// On a LogP machine a send takes o, and the message is received o + L + o after it was begun. The
// receive port takes the last o before the message is in the mailbox, so that a receive then takes
// no time. With medians of all samples,
//
//	o  the time of a send, but no more than a quarter of a round trip
//	L  half a round trip, less 2o
//	g  the spacing of a burst, on the side where it is longer
//	G  the slope of round trips over bytes (Theil-Sen)
//	S  what the crowd took, less half a round trip, for each of its messages but one
//
// S is the service time of a switch through which all messages go, or of whatever else all ranks
// share: on one host, processors. It shows only if the crowd takes a quarter longer than it would with
// the ports of rank 0 alone in the way.
//
// Real machines need not have one o for both sides. On the loopback interface, for example, a send
// does part of the receiver's work, and takes more than a quarter of a round trip. Then the round
// trip counts: there is no L, and o is a quarter.
//
// A gap g up to o has no effect on a machine, and is not to be seen: the spacing of its bursts is o.
// So what is found is max(o,g), which makes the same machine. On a network with a bottleneck it may
// be that of the bottleneck. L is the latency between ranks 0 and 1.
//
// Medians stand it that nearly half of the samples are far off, the slope that two of nine sizes are.
//
// # Failures
//
// If one of the two ranks fails, the other one may wait for ever. What was measured until then is
// there.
//
// Next: calibration.go is the program, estimate.go the arithmetic.
package calibration
