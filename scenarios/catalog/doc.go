// Package catalog lists what can be run: the protocols with their keys, what is computed with them,
// and how each run is judged.
//
//	run, err := catalog.ParseLine("broadcast P=1024 faults=crash:3@send2")
//	outcome, err := run.Execute(ctx, scenarios.Options{})
//
// catalog.go has the list, one line for each protocol, and every protocol has a file of its own:
// broadcast.go is an example. A file says which keys there are, makes the program out of their values,
// and says what it promises (CONTRIBUTING.md walks through a new one). [All] returns the list
// for those who run lines (package scenarios), search in them and launch them.
//
// # Promises
//
// What is promised, and under which premises, is said here and nowhere else, as values of package guarantee. standing.go
// has what corrections stand, premises.go premises that several protocols have, and gossippromises.go, bfbpromises.go,
// teampromises.go and membershippromises.go the promises of those that have many. The table in docs/guarantees.md is
// written from them.
//
// # Tables
//
// What a key chooses from is a table: trees in trees.go, corrections in corrections.go, variants of
// gossip, collective operations, detectors and so on, each next to the protocol that has it. A new tree
// or correction is one line there, and goes with everything else.
//
// # Beside the runs
//
// [TuneGossip] says how long to gossip, [ReadTable] reads tables of what broadcasts should cost,
// [Costs] compares computations with those that stand no failures, [MeasureStabilization] looks at a
// view change of the membership service, and [Calibrated] at what a machine was found to be.
package catalog
