// Package statemachine runs libraries that are state machines: code which does nothing but compute, and says what is to be sent and stored because of a message or a
// tick of a clock. go.etcd.io/raft is one. Such code has no goroutines, sockets or clocks of its own; who uses it brings them along, and here that is a rank:
//
//	statemachine.Run(p, node, statemachine.Options{Every: 10, Until: 2000})
//
// # Order
//
// [Run] takes a message or a tick, has the [Machine] step, and then does what is ready:
//
//  1. it writes what the machine wants to keep, and makes that safe if it must be;
//  2. it sends;
//  3. it tells the machine to go on, which applies what is agreed on;
//  4. it deletes what is not needed any more, if that is safe.
//
// Nobody hears of anything that a rank could forget. That is what most libraries ask for, and where most mistakes are.
//
// # Time
//
// Timers of such libraries count ticks. A [Ticker] says when one is due.
//
// # Randomness
//
// A library that takes random numbers from outside is given those of the rank, which depend on the seed of the run and on nothing else: [Reader] for an
// io.Reader, [Source] for a generator of math/rand, and p.Rand() itself for one of math/rand/v2. Package cryptorand is for libraries which ask crypto/rand and
// cannot be told otherwise.
//
// # Messages
//
// What a library sends is a struct of its own. Its encoding is the payload of a message, so that ranks share no memory and the same code runs between processes; kind, epoch and
// A can repeat what is good to see in a trace.
//
// docs/libraries.md says which libraries fit, and has a walk through examples/raft.
package statemachine
