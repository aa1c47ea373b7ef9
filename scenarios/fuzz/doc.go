// Package fuzz turns any bytes into a run with failures, and says whether the protocol kept
// what it promises for such failures. It is what fuzzers call.
//
//	err := fuzz.Broadcast(data)
//
// # Bytes
//
// The first byte says how the run is checked, the next ones choose the parameters, one byte
// each in the order of the family's table, and the rest is the failure schedule as
// [faults.Decode] reads it, or a [faults.Decoder] that knows more. Every input is a valid run.
// Missing bytes count as 0, which chooses the first value of each table, so short inputs are
// small runs with few faults.
//
// # Errors
//
// An error is a broken promise, or a run that panicked or did not end, and its text has the
// command that shows it again:
//
//	fuzz: every live rank is reached and nobody waits for ever: broken: ranks [5] never reached
//		mangrove run broadcast P=16 L=2 o=1 ...
//
// What protocols promise only if few enough ranks fail is checked only then: promise.go has
// the premises, facts.go what they are made of, claims.go the conclusions. What is special to
// Corrected Gossip, to the broadcasts it is compared with and to the membership service is in
// gossip.go, baselines.go and membership.go.
//
// Every call makes a machine of its own and leaves nothing behind, so fuzzers may reuse the
// process and call from several goroutines.
//
// # Where to read next
//
// docs/fuzzing.md says how to run native fuzzing, go-fuzz and libFuzzer on it, and how a
// crasher becomes an entry of the corpus.
package fuzz
