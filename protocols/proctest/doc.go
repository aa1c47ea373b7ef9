// Package proctest checks that a machine keeps the contract of protocols.Proc.
//
// Every machine that runs protocol code has a test of this form:
//
//	func TestConformance(t *testing.T) {
//		proctest.Test(t, proctest.Machine{Run: run})
//	}
//
// where run builds a machine with the given parameters and runs a program on it, under a schedule of
// faults if there is one. Each claim of the contract is a [Case], checked on several machines; its name is
// the claim.
//
// # Virtual and real time
//
// The emulator keeps the times of the LogP model (package clock) to the tick. On a
// machine whose clock is a real one, [Machine.Early] and [Machine.Late] say by how much an
// instant may differ from the model. Cases that only make sense to the tick, such as the
// order of messages that arrive at the same instant, are marked [Case.Exact] and are not
// part of the suite of such a machine. Times always count from the start of a run, so Late
// has to cover all delays of a run together, and the ranks' different starts. Since there is no limit to
// what else a real machine may be busy with, [Machine.Attempts] says how often to try.
//
// # Schedules
//
// Machines must also agree on what a schedule of faults does. Every kind of fault at every kind of point,
// and every pair of them (a sample where time is real), with and without rejoins, is tried on a rank of its own,
// hundreds of them in one run;
// what must become of such a rank is worked out by a small model (forecast.go) that shares nothing with
// package faults but the schedule itself. The model looks at what the rank did and what of it reached others,
// how it ended and which faults did not happen: none of that depends on how fast a machine is, as long as
// it is in time for what the clock brings about.
//
// What happens to messages on their way, and to links, has a model of its own (network.go), which says when each message
// arrives, and how often. Where times are exact it is part of the model of the ports; on other machines all ranks send to all others in turns that
// are far apart, and only in which of these long units a message arrives is compared (messages.go).
//
// # Stable storage
//
// Machines that have it ([Machine.Stores]) must have after a failure what was synced, and of the changes since then those that the schedule keeps. That, too,
// is compared with a model of its own (relics.go), at each kind of point and over several lives.
//
// # Failure detectors
//
// Machines that have one ([Machine.Detects]) must keep the contract of protocols.Detector to each observer: its list of failures grows at
// its end only, and has all of them in the end. That two observers have the same list at the same time is not asked for.
//
// # Ranks in several processes
//
// A machine may have its ranks in several processes. Each of them runs the same suite, and of each run the ranks that it has. With [Machine.Share] they then
// tell each other what these have observed, so that all judge the same: how often to try again, too. Members of a group of package emu/parts share by
//
//	func(own []byte) ([][]byte, error) { return group.Exchange(slices.Repeat([][]byte{own}, group.Count())) }
//
// That a rank ran in two processes or in none, that processes have different reports or are in different runs, and that observations
// got lost or changed on the way is found, too.
//
// # How a case works
//
// Programs run on goroutines of the machine. They never assert anything: each rank
// notes down what it has observed, in memory that no other rank looks at, and the case compares when the run is over. A finding is
// an error and not a failed test, so that tests of this package can watch the suite
// find fault with broken machines. They do so for every single case.
//
// Many cases are only about who sends what to whom, and when. They are lists of errands: a small model of the
// ports (traffic.go) says what each rank must see of them. Others are lists of looks into a mailbox that a letter
// is on its way to (looks.go).
//
// # Where to read next
//
// proctest.go has the entry points, machines.go the parameters, run.go how programs are
// run, notebook.go, account.go and share.go how their observations come together, checker.go how observations are judged. The cases lie in one file for each topic:
// start, sends, receives, order, wants, deadlines, waits, payload, random, ends, linger, faults, slowdowns,
// cuts, messages, detectors, storage; traffic.go has random traffic, too, and victims.go is the program that schedules are tried on. The
// broken machines are in mutants_test.go.
package proctest
