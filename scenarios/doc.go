// Package scenarios turns one line of text into a run of the emulator, and says which
// guarantees the run kept.
//
//	broadcast tree=binomial correction=checked start=sync P=1024 L=2 o=1 seed=7 faults=crash:3@send2
//
// Package line has the language of lines, package catalog the protocols that can be named on one;
// here is what is between them: a [Registry] of protocols reads lines, and a [Run] is executed, judged,
// searched for failures and made smaller.
//
// The line is the reproducer. Its String gives back the words as they were typed, and a
// run is a function of its line, and of the machine's file if it names one: running it again gives
// the same [report.Report.Hash].
//
// # Chance
//
// A run has one seed. It decides which ranks are drawn for faults such as crash:1%, and it
// is the seed of the ranks' own random streams. Seed 0 is a seed like any other. Roots of
// a protocol are never drawn; a schedule may still name them.
//
// # Guarantees
//
// What a protocol promises it says itself ([Experiment].Promises): guarantees, small functions of a run's
// report, each with the premises under which it is given (package guarantee). [Run.Promises] adds the terms that all
// protocols have in common: on cut links they promise little, and ranks come back only in protocols that say so
// ([Protocol].Rejoins). Whoever says nothing about deadlocks promises that there are none.
//
// Verdicts are held, broken or not claimed, and on what evidence; [Outcome.Verdict] is what they come to. A run of
// processes that were behind the model may be too late to judge ([Outcome.ExcuseLateness]).
//
// A broken guarantee is a result, not an error. The error of an execution means that there
// is no result: the program panicked or never ended (package emu has the types), the
// context was cancelled, or the input was bad ([line.InputError]).
//
// # In other processes
//
// Guarantees and measures look at a report, and at what ranks have noted on the way. Where ranks do
// not share memory, [Run.Save] and [Run.Load] take these notes from one process to another, and
// [Run.Judge] says there what [Run.Execute] would have said ([State]).
//
// # Protocols of your own
//
// A [Protocol] needs a name and a function that builds what is run; [Registry.Validate] says what is wrong with one. What ranks find out goes into
// [Results], if promises look at it. Package command makes a command line of any protocols (docs/your-own-command.md).
//
// # Where to read next
//
// registry.go says what a protocol is, validate.go what must be right about one, run.go makes a run of a line, execute.go runs it, guarantee.go
// checks, state.go knows what a check needs besides the report, timing.go who may use which network,
// subject.go and shrink.go are for searches.
package scenarios
