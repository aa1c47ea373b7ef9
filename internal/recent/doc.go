// Package recent keeps the last results of a function, for all ranks of a process.
//
// Ranks that have heard the same come to the same results: what a decision says, who takes over a task. On many ranks in one
// process each would work them out and have them in its memory. Here one of them does, and the others share what it has got.
package recent
