// Package parts lets several processes share the ranks of one machine.
//
// A machine of package emu advances in windows. All that its parts need of each other is exchanged between two windows: who has
// something to do next, mail for ranks of others, and what all must know. So a [Group] can do little:
//
//	type Group interface {
//		Index() int                                   // who am I
//		Count() int                                   // how many are we
//		Min(t clock.Time) (clock.Time, error)         // the smallest of all
//		Exchange(out [][]byte) (in [][]byte, _ error) // a batch for each, a batch from each
//	}
//
// [Mail] is for members that hand out work to each other.
//
// [InProcess] makes groups whose members are goroutines of one process, for tests. Package transport/mpi has the one whose members are the
// processes of an MPI job.
//
// [Measure] tells what parts spend on work, on waiting for each other, and on talking.
//
// [Block] says which ranks are whose: a machine is cut into blocks of consecutive ranks.
package parts
