// Package history judges what the clients of a distributed object have seen: a register, a store, a queue, a lock that many ranks
// keep together. A program records into a [History] when it asks for something and when it is told what came out; checkers look at it after the run.
//
//	h := history.New[request, string](ranks)
//
//	call := h.Invoke(p, request)   // in the program of a client
//	value := ask(p, request)
//	call.Return(p, value)
//
// # Checkers
//
// All of them are guarantees (package guarantee). In a test of package emutest they are those of an Instance, whose Prepare calls [History.Reset].
//
//	Func                    a function over the operations
//	SequentiallyConsistent  the operations fit into one order, in which those of each client are in the order in which it asked
//	linearizable.Check      and each of them took effect between its call and its return; package check/linearizable, which is a module of its own
//
// What fits is up to a [Model]: the object as it would be with one client. A verdict that something is broken names the fewest operations found that
// break it whatever all others did, and of these the first one that should not have returned as it did. They are the marks of the verdict, so that pages
// show them.
//
// A history may have too many orders to try all. The checkers count how often they ask the model, and claim nothing when that is too often. They do not look at a
// wall clock, so a run that is repeated gets the same verdict. What it takes to find the fewest operations is counted, too, and is at most about twice what a verdict takes: of a history of
// thousands of operations, or of an object whose states have no end, such as a queue, more may be named than are needed.
//
// # Operations that do not return
//
// The client may have failed, wait for ever, or have lost patience. Whether such an operation took effect nobody knows, nor when: it is pending, and may have any result, at whatever
// time after it began, or none. So may one of a former life of a rank that has come back.
//
// A client that begins another operation has given up the former one, which is pending from then on and must not return. So a rank that has several at the same time says for which
// of its clients each is ([History.InvokeAs]).
//
// # Time
//
// Times are those of the rank's own clock, in ticks (protocols.Proc.Now). On the emulator all ranks have the same clock. An operation comes before another one
// if it returned before that one began. If both happen at the same instant, on different ranks, they are concurrent: no message is that fast, so no rank
// can know which was first, and a protocol is not to blame for it. On one rank they are in the order in which it recorded them.
//
// Where clocks differ, times of different ranks cannot be compared with certainty, and linearizability relies on that; sequential consistency does not.
// The memory of a History is that of one process. [Of] makes one of operations that were brought together from several.
package history
