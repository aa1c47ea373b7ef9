// Package collective offers collective operations that go on when ranks fail: broadcast, scatter,
// gather, reduce, all-to-all, and barrier, all-gather and all-reduce made of them. It is the
// strategy of Stengler's thesis "Fault Tolerant Collective Communication Algorithms for
// Distributed Database Systems" (TU Darmstadt, 2017), on communicators of package ulfm.
//
//	team := collective.NewTeam(world, collective.Options{})
//	sum, err := collective.Reduce(team, 0, collective.Given(numbersOf), collective.Elementwise(add))
//	if team.Does(0) {
//		// sum is the result: this rank does task 0, its own or that of a rank that has failed
//	}
//
// # Tasks
//
// The work is divided into tasks, one for each rank of the communicator that the team begins with.
// Operations go between tasks. If a rank fails, its tasks are taken over by the ranks that have
// the fewest, and the operation goes on, as long as one rank is left. A rank may so have several
// tasks; what an operation returns it returns per task.
//
// # Strategy
//
//  1. Agreement: did anybody fail before?
//  2. The algorithm. Whoever sees a failure revokes the communicator, so that all stop.
//  3. Agreement: did everybody come to the end, and is everybody still there? Then it is done.
//  4. Repair: acknowledge, shrink, take over the tasks of those who have failed, restore their
//     data. Then 2 again, but only what did not succeed: who receives tells who sends what is still
//     needed.
//
// The thesis takes over tasks by the failures that each rank has acknowledged, before it shrinks.
// Two ranks may have acknowledged different ones; here tasks are taken over by who is missing in
// the shrunken communicator, which is the same everywhere.
//
// The [Optimistic] strategy is that of the thesis' section 5.4: as long as nobody has failed, the
// plain algorithm and one agreement. [Plain] is the algorithm alone; any failure is an error.
//
// # Lost data
//
// What a task brings to an operation comes from a callback, [Input]. When a task is taken over, the
// callback is called on another rank and gives the same again: generated, read from a replica, or
// asked from others.
package collective
