// Package conformance has the programs of two public test suites of fault-tolerant MPI, written
// anew for package ulfm: MPICH's test/mpi/ft and ICL's ulfm-testing. What each of them does, in
// which rank fails where, and what is required of the outcome are facts about those suites; the
// text is ours.
//
// A [Case] is a program with the schedule of its failures. Ranks fail at the step [StepDie]. What a
// rank requires of a call it notes when the call returns; whether that was so is decided when the
// run is over, for it may depend on who has failed by then: a call that must succeed may fail once
// a rank that it needs has failed. So the same program can be run with failures that it does not
// know of, and is judged as strictly as MPI allows.
//
// In every run, whoever fails:
//
//  1. nobody waits for ever;
//  2. a call fails with one of the errors that the case allows there, and with ErrProcFailed or
//     ErrProcFailedPending only after a member of its communicator has failed;
//  3. a call that needs only ranks that have not failed succeeds, if the case says so;
//  4. what must be the same on all ranks is the same on all that have not failed.
//
// The tests run all cases and write docs/ulfm-conformance.md.
package conformance
