// Package samplesort has the local steps of sample sort, by which tasks sort numbers that are
// spread over them. It is arithmetic only; nothing here sends.
//
// # The steps
//
// A [Source] is the numbers to sort, in no order. Each task has a share of them:
//
//	Source.Numbers  each task: its share
//	Splitters       each task: a random sample of its share
//	Pivots          the limits between tasks, from the samples of all
//	Group           each task: what of its share goes to which task
//	Join            each task: what it was given by all tasks, sorted
//
// Between these steps tasks send to each other: samples go to whoever computes the pivots,
// pivots to all, groups from each task to each. Then the parts of all tasks, one after the
// other, are the numbers in order ([Source.Sorted]).
//
// # Chance
//
// All of it follows from the seed. A number is a function of the seed and of its place among
// all, so the numbers to sort are the same for any number of tasks. A task samples with a
// random stream of its own, [Source.Rand]. Neither knows of ranks: a rank that takes over the
// task of a failed one finds the same numbers, and samples the same of them.
//
// # Balance
//
// Pivots are as good as the samples are large. Equal numbers stay together, so that with few
// distinct numbers some tasks may end up with many and others with none.
package samplesort
