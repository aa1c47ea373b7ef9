// Package emutest tests a protocol of your own against failures and against other timings: every schedule of up to so
// many crashes and hangs, every place of one late message, then random ones. What breaks a promise is made as small as
// possible and reported with the command that shows it again.
//
//	func TestAllRanksDecideTheSame(t *testing.T) {
//		emutest.Run(t, emutest.Test{
//			Machine:    clock.LogP{Ranks: 4, Latency: 2, Overhead: 1},
//			Program:    commit,
//			Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
//			Faults:     1,    // every schedule of one crash or hang
//			Random:     1000, // and so many random ones
//		})
//	}
//
// # Promises
//
// What a protocol promises is said in two ways. A guarantee (package guarantee) looks at the
// report of a run: who returned, who waits for ever, who was reached. A check looks at what
// the ranks have found out, which is the program's own affair. [Test].New makes an [Instance]
// of the protocol: the program, the slices in which its ranks leave results, and the check of
// these slices. It is called once for each processor, so that runs at the same time share
// nothing; Prepare clears the slices before each run.
//
// A promise may have premises, such as guarantee.When(guarantee.AtMostFailures(1), ...): in a run that does
// not meet them nothing is claimed, and the run neither breaks nor keeps the promise. So that a promise whose premises are
// never met does not pass for one that is kept, a test in which a promise was judged in no run fails. One that was
// judged in some of the runs passes, and the log says in how many ([Result].Judged).
//
// A promise may also say how much its algorithm stands (guarantee.Promise.Stands). A schedule that breaks it beyond that fails the
// test as any other does, with a message that says so. It is reported apart from the smallest schedule that breaks
// what is claimed.
//
// A program must neither panic nor go on for ever, whatever it promises: a run that reaches
// [Test].TimeLimit is a violation, too.
//
// # What is run
//
//  1. no faults, twice, with different numbers of workers. Both runs must be the same, or
//     else the program depends on something outside its Proc and no schedule means anything;
//  2. the schedules of the list, such as those that an earlier search has found, with each of [Test].Seeds;
//  3. every schedule of up to [Test].Faults faults, at every point of the program: before, in
//     and after each send, at each receive, at each named step; those with few faults first;
//  4. every schedule in which one message is late, by what its receiver and others can notice of it: delays are as
//     long as they make a difference, and so longer than what ranks wait for. In long programs these are many; then it stops after
//     as many runs as there are otherwise, and the summary says so;
//  5. [Test].Random schedules, each with a seed of its own. In half of them many messages are late at once; in others, and in some of these,
//     ranks crash, hang or are slowed down, also at instants. A rank often fails just after it has sent or taken a message while many are late. There are more than that if (3) has more than eight times as many. With [Test].Rejoins most of them
//     have a rank that fails just after a message and comes back soon or late, and messages that wait for it.
//
// [Test].Exact leaves out all timings but one, and all seeds but one: for protocols that rely on messages being in time. [Test].NoFailures
// leaves out failures. Messages are lost or arrive twice only if [Test].Kinds says so.
//
// What [Test].Given says happens in all of these runs, besides what is tried.
//
// If [Test].Rejoins says so, ranks also come back some time after they failed, and if [Test].Cuts
// says so, ranks are cut off from all others. Most promises presuppose that neither happens:
// guarantee.Undisturbed is that premise.
//
// If a run without faults breaks a promise, that is all that is reported. Otherwise each
// promise that is broken is reported with the smallest schedule that breaks it.
//
// # Seeing a failure again
//
// The flag -mangrove.faults makes a test run one schedule only. With -v it prints all events.
//
//	go test -v -run '^TestAllRanksDecideTheSame$' -mangrove.faults='crash:0@after-send1' example.com/commit
//
// If another seed than the test's is needed for it, -mangrove.seed is there, too.
//
// With -short there are a tenth of the random schedules. A test that nears the deadline of go
// test stops, reports what it has found, and fails because it is not complete.
//
// # Where to read next
//
// docs/testing-your-protocol.md leads from an empty folder to a protocol that passes. Package
// search has the search itself, package faults the text of schedules.
package emutest
