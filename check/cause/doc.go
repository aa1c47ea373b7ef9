// Package cause explains a broken promise: how it came to that, told from the end backwards, and which faults mattered.
//
// [Explain] is given a schedule of faults that breaks a promise, and a way to run schedules. It leaves each fault out in turn and says what
// changes. The nearest run in which all is well, the one that is compared, has one fault less, if there is such a run: what differs
// between the two then comes from that one fault. Messages of the two runs are the same if their sender, receiver, kind and epoch are, and how many such
// there were before.
//
// The story begins with a rank that waits for ever, was not reached or did wrong. It asks of that rank what it did first that it would not have done,
// or what it did not get: a message that was there in the compared run. Who would have sent that is asked the same, and so on: each line is one
// rank, and goes back in time in one of the two runs, until the fault is reached:
//
//	rank 5 waits for ever in Recv(kind=result from 3) since t=0
//	it did not get result from rank 3, which would have come at t=12
//	rank 3 did not send it: it did not get value from rank 1, which would have come at t=8
//	rank 1 did not send that: it crashed at t=4 in its send 2 (crash:1@send2)
//	without crash:1@send2: holds
//
// What led to an instant of a rank within one run is its [Path]: the last message that the rank had taken, what its sender had taken before it sent
// that, and so on to the start.
//
// Runs of more than [MostMessages] messages are not explained, since the events of two of them must fit into memory; more than [MostFaults] faults are left
// out in groups. Stories are the same each time.
package cause
