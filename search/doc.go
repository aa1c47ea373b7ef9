// Package search looks for the failure schedule that breaks a guarantee: all of them up to a
// number of faults ([Explore]), random ones ([Fuzz]), and, once one is found, a smaller one
// ([Shrink]).
//
// # Which schedules differ
//
// A rank that crashes is known to others by one thing only: the messages that it does not
// send. So all points between the end of its k-th send and the end of the next one come to
// the same, whether it crashes before that send or in the middle of it, at a receive or at a
// named step, and whether it crashes or hangs. Explore runs one schedule of such a class and
// counts all of them as covered, together with those that add failures after a rank's last
// send: these make no difference. That is right for guarantees about ranks that live. For those
// that look at what failed ranks had done, or when they failed, [ExploreOptions].Every runs
// every single point. Where a machine tells ranks about failures, no two points come to the
// same, and each is run in any case.
//
// Faults are tied to points of the program and not to instants, so that a schedule means the
// same after unrelated changes.
//
// # Order
//
// Faults that follow from one another have an order in time: the first one happens as in a
// run without faults, the second as in the run with the first. Explore extends a schedule only
// by faults that show later than those it has, in the run that it leads to. That way it meets
// every set of faults once, also those whose points exist only because of other faults.
package search
