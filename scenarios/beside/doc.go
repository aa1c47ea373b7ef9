// Package beside runs a line beside what an MPI library has of its own: a broadcast beside MPI_Bcast, say, of the same size, on the same
// processes of one job, by turns.
//
//	native, err := beside.Native(engine, ours, processes)
//	result, err := beside.Compare(ctx, beside.Options{Turns: 10, Ours: ..., Native: ...})
//
// The library's operation is a run like any other ([Native]): its processes begin at an instant that all agree on, read the clock that runs of ours are measured with, and leave their notes to
// process 0, which says whether the result was right. So both are measured in the same way: from when the root begins, or all do, until the last one is
// done.
//
// Both take turns, as machines are never the same for long, and a ratio is that of two neighbours ([Compare]). The first turn is not counted: it opens
// connections.
//
// Next: compare.go.
package beside
