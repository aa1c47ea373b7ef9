// Package protocols defines the contract between protocol code and the machine that
// runs it.
//
// A protocol is a function of a [Proc], written as ordinary blocking code: it sends,
// receives and waits, and everything it may touch of the world is its Proc. It imports
// neither a machine nor time, net or sync, so the same code runs on the emulator
// (package emu) and on real networks.
//
// # Failure
//
// Protocol code is fail-stop: it never sees its own crash, hang or slow-down. A call
// during which the rank fails does not return. Deferred functions of a failed rank still
// run, but every call they make on the Proc ends them.
//
// A machine may have a failure detector, which tells of others' failures: see [Detector]. It may
// let ranks that have failed begin again, with another [Proc.Life]. Of its former lives such a rank knows only what it has
// put into its [Storage], and has made safe there before it failed.
//
// # Servers
//
// A rank that waits in Recv for what never comes is deadlocked, and a run says so. That is also what
// happens to a server that asks for the next request for ever, in every run, though nothing is
// wrong with it. Such a rank waits in [Proc.Linger]: when nothing can happen any more, it has finished.
//
// # Instants
//
// At one instant every delivery comes before any action of the rank: a rank that decides
// at t sees all messages whose receive ended at or before t. Messages are received in the
// order in which they arrive; those that arrive at the same instant in the order of their
// senders' ranks, then in the order in which they were sent.
//
// # Results
//
// What a rank finds out it can leave in its own element of a slice that was made before the
// run; no two ranks run on the same element, so no lock is needed. On a network each process
// has its own memory, and only what was sent is shared.
//
// # Folders
//
// Each protocol family has a folder below this one, arithmetic (trees, rings) apart from
// code that communicates:
//
//	tree         the shapes of dissemination trees
//	correction   what ranks send to their neighbours on the ring once the tree is done
//	broadcast    dissemination and correction put together
//	gossip       dissemination at random, then correction; tuning says for how long
//	buntinas     a broadcast that a failure detector makes begin again
//	reduce       one value of every rank, combined at the root
//	allreduce    the same, and everybody learns the result
//	membership   who is there: views of a group that everybody agrees on
//	ulfm         communicators whose calls fail instead of waiting for a rank that has failed
//	collective   operations on these communicators that go on without ranks that have failed
//	calibration  what the parameters of the machine are
//	statemachine libraries that are state machines, run on ranks
//	proctest     the conformance suite that every machine must pass
package protocols
