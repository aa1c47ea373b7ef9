// Package fuzz turns any bytes into a run with failures, and says whether the protocol kept
// what it promises for such failures. It is what fuzzers call.
//
//	err := fuzz.Protocol(registry, "ring")(data) // a protocol that a line can name
//	err = fuzz.Any(data)                         // one of the catalogue
//
// # Bytes
//
// The first byte says how the run is checked, the next ones choose the parameters, and the rest is
// the failure schedule as a [faults.Decoder] reads it. What there is to choose from is said where a
// protocol is defined: keys have values that are worth trying ([line.Tries]), and each of these
// keys has a byte, those of the machine first. Every input is a valid run, unless a protocol refuses
// some of what its own keys offer. Missing bytes count as 0, which chooses the first value of each
// key, so short inputs are small runs with few faults.
//
// # Errors
//
// An error is a broken promise, or a run that panicked or did not end, and its text has the
// command that shows it again:
//
//	fuzz: reaches every live rank: broken: rank 5 never reached
//		mangrove run broadcast P=16 L=2 o=1 ...
//
// A protocol must keep what its experiment promises, under the premises that it names itself. A promise that is broken
// beyond what the algorithm claims to stand is no error here: that plain trees do not stand crashes is no news.
//
// Every call makes a machine of its own and leaves nothing behind, so fuzzers may reuse the
// process and call from several goroutines.
//
// # Where to read next
//
// docs/fuzzing.md says how to run native fuzzing, go-fuzz and libFuzzer on it, and how a
// crasher becomes an entry of the corpus.
package fuzz
