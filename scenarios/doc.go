// Package scenarios turns one line of text into a run of the emulator, and says which
// guarantees the run kept.
//
//	broadcast tree=binomial correction=checked start=sync P=1024 L=2 o=1 seed=7 faults=crash:3@send2
//
// # The line
//
// The first word names a protocol, the others set keys, in any order, each at most once.
// Blanks separate words and are not part of any:
//
//	line = protocol { key "=" value }
//
// All protocols have the keys of the machine (P, L, o, g, G and network, package clock), seed and
// faults (package faults); each adds its own. What is left out takes its default.
// [Protocols] lists them all. If tick says what a tick stands for, values in ticks may also be
// times, such as L=4.6us.
//
// The parameters of a machine may be kept in a file, and the line names it: machine=rack.toml takes
// the place of the defaults of tick, L, o, g, G and network ([MachineFile]). Relative names are
// relative to the working directory. Protocol calibration finds such parameters ([Calibrated]).
//
// The line is the reproducer. [Run.String] gives back the words as they were typed, and a
// run is a function of its line, and of the machine's file if it names one: running it again gives
// the same [emu.Report.Hash].
//
// # Chance
//
// A run has one seed. It decides which ranks are drawn for faults such as crash:1%, and it
// is the seed of the ranks' own random streams. Seed 0 is a seed like any other. Roots of
// a protocol are never drawn; a schedule may still name them.
//
// # Guarantees
//
// A [Check] is a small function of a run's report. It says whether a guarantee held, and
// on what evidence:
//
//   - reaches every live rank: all ranks that did not fail got the message. If a root has
//     failed, either all of them or none.
//   - no deadlock: no rank waits for ever.
//
// Computations (collective, samplesort, tpch-q3) promise in place of the first that their results
// are those of a run without failures. [Run.Costs] says what that costs.
//
// On cut links neither is promised, nor what a protocol has in their place; terms.go has the
// exceptions. Ranks come back only in protocols that say so ([Protocol].Rejoins).
//
// A broken guarantee is a result, not an error. The error of an execution means that there
// is no result: the program panicked or never ended (package emu has the types), the
// context was cancelled, or the input was bad ([InputError]).
//
// # In other processes
//
// Guarantees and figures look at a report, and at what ranks have noted on the way. Where ranks do
// not share memory, [Run.Save] and [Run.Load] take these notes from one process to another, and
// [Run.Judge] says there what [Run.Execute] would have said ([State]).
//
// # Where to read next
//
// registry.go lists the protocols, broadcast.go is an example of one; line.go reads a line,
// key.go knows keys and their values, network.go networks and timing.go who may use them,
// machinekey.go the file of a machine, execute.go runs, guarantee.go checks, state.go knows what a
// check needs besides the report.
package scenarios
