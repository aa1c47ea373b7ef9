// Package emutest tests a protocol of your own against failures and against other timings: every schedule of up to so
// many crashes and hangs, every place of one late message, then random ones. What breaks a promise is made as small as
// possible, reported with the command that shows it again, kept for the next run of the test, and drawn as a page.
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
// Promises over time, such as a leader within 500 ticks of the last failure, are in package guarantee/temporal. What clients of a store or
// a queue have seen is recorded in a history (package history) and judged as a whole; Prepare resets it.
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
//  2. what earlier runs of the test have found and kept in files, each with its seed. If one of these breaks
//     something still, the test ends here;
//  3. the schedules of the list, with each of [Test].Seeds;
//  4. every schedule of up to [Test].Faults faults, at every point of the program: before, in
//     and after each send, at each receive, at each named step; those with few faults first;
//  5. every schedule in which one message is late, by what its receiver and others can notice of it: delays are as
//     long as they make a difference, and so longer than what ranks wait for. In long programs these are many; then it stops after
//     as many runs as there are otherwise, and the summary says so;
//  6. [Test].Random schedules, each with a seed of its own. In half of them many messages are late at once; in others, and in some of these,
//     ranks crash, hang or are slowed down, also at instants. A rank often fails just after it has sent or taken a message while many are late. There are more than that if (4) has more than eight times as many. With [Test].Rejoins most of them
//     have a rank that fails just after a message and comes back soon or late, and messages that wait for it.
//
// [Test].Exact leaves out all timings but one, and all seeds but one: for protocols that rely on messages being in time. [Test].NoFailures
// leaves out failures. Messages are lost or arrive twice only if [Test].Kinds says so.
//
// What [Test].Given says happens in all of these runs, besides what is tried. Only files and the list, (2) and (3), say all that happens themselves: those that a test
// has written have what is given, too.
//
// If [Test].Rejoins says so, ranks also come back some time after they failed, and if [Test].Cuts
// says so, ranks are cut off from all others. Most promises presuppose that neither happens:
// guarantee.Undisturbed is that premise.
//
// If a run without faults breaks a promise, that is all that is reported. Otherwise each
// promise that is broken is reported with the smallest schedule that breaks it.
//
// With -short there are a tenth of the random schedules. A test that nears the deadline of go
// test stops, reports what it has found, and fails because it is not complete.
//
// # Seeing a failure again
//
// The flag -mangrove.faults makes a test run one schedule only. With -v it prints all events. Nothing is added to that schedule: what [Test].Given says
// is part of the commands that failed tests print, and whoever types another schedule has to type it, too.
//
//	go test -v -run '^TestAllRanksDecideTheSame$' example.com/decide -mangrove.faults='crash:0@after-send1'
//
// If another seed than the test's is needed for it, -mangrove.seed is there, too. With -mangrove.view=run.html the run is also written as
// a page for a browser (package view); without -mangrove.faults it is the run without faults. One page has room for one test, so -run must pick one.
//
// A test may have several Runs. All of them run the schedule, but for later ones that have no such ranks. With -mangrove.run=2 only the second one does, which is
// what the commands for it have.
//
// # What is kept
//
// Each smallest schedule that [Run] finds is written to a file in the folder of the package, and its page beside it:
//
//	testdata/mangrove/TestAllRanksDecideTheSame/a79262cc
//	testdata/mangrove/TestAllRanksDecideTheSame/a79262cc.html
//
// Later Runs of a test, and later [Known]s, count on: what the second one finds is in a folder run-2 there, and so on, and run by that one only. Subtests, which have folders
// of their own, do not change places as easily.
//
// The files are to be committed: the next go test, also elsewhere, runs them before it searches for anything. As long as one of them breaks something the test
// stops after them. When the protocol is mended they go on being run, which costs next to nothing, and see that the mistake does not come back.
// They are named after what is in them, so the same finding has the same file. Pages are large, and made again whenever a file breaks something; a .gitignore that
// is written with the first one leaves them out. Files may also be written by hand, under any name:
//
//	mangrove test v1
//	# two candidates, and both are told that they have won
//	faults: crash:0@after-send1
//	seed: 7
//
// Everything else in such a folder that is no page, no folder and does not begin with a dot is refused, and so is a schedule that the test
// excludes by now, such as the failure of a rank that it spares. If something in a schedule no longer happens, because the program has no such step any more, say, the summary names
// the file. What [Test].Schedules has anyway, and what breaks without faults, has only a page.
//
// With MANGROVE_KEEP=off in the environment a test that fails writes nothing. What is there is run.
//
// # What is known to break
//
// Every algorithm has its limits. [Known] is a test that a promise is broken, by the smallest schedule that a README tells of, and nothing else:
//
//	emutest.Known(t, emutest.Test{...}, emutest.Break{Promise: "termination", Faults: "crash:0@after-send1"})
//
// # Where to read next
//
// docs/testing-your-protocol.md leads from an empty folder to a protocol that passes. Package
// search has the search itself, package faults the text of schedules.
package emutest
