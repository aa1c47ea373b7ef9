// Package linearizable judges histories (package history) by linearizability: every operation took effect at one instant between its call and its return (Herlihy and
// Wing, "Linearizability: A Correctness Condition for Concurrent Objects", 1990). The search is that of Porcupine
// (github.com/anishathalye/porcupine), so this is a module of its own: who does not need it does not get what it needs.
//
//	go get github.com/mangrove-emu/mangrove/check/linearizable
//
// Whoever has replaced Mangrove by a clone replaces this module, too: by the folder check/linearizable of the clone.
//
//	Guarantees: []guarantee.Guarantee{linearizable.Check(h, model)},
//
// # What Porcupine is told
//
// Its operations are intervals that include both ends, so that one which begins when another one ends is concurrent with it. That is what
// package history says of different ranks. The order of operations of one rank at one instant is kept by the state: one cannot take effect there before those that come
// before it have. Where a model has parts, operations of different parts are never compared, nor is this order.
//
// A pending operation is one that ends when all others have. If it has had no effect by then, it need not have any.
//
// # When it takes too long
//
// Linearizability is hard to decide: with many operations at the same time, above all pending ones, the time may be exponential in their number. Porcupine
// can stop by the clock, and then says that it does not know. That would make a verdict depend on how busy the machine is, so we count: after
// history.Model.Limit calls of the model nothing is claimed, and the evidence says so. When Porcupine compares where it is with where it has been, that counts as well, a little.
package linearizable
