// Package search looks for the schedule that breaks a guarantee: all of them up to a
// number of faults and late, lost or doubled messages ([Explore]), all orders of deliveries ([Orders]), random ones ([Fuzz]), and, once
// one is found, a smaller one ([Shrink], [ShrinkFound]).
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
// same, and each is run in any case. The same goes for ranks that come back
// ([ExploreOptions].Rejoins): they do so a given time after they failed, so that another
// instant of the failure is another schedule, and a crash is not a hang, for what has reached a
// rank that hung counts.
//
// Cuts ([ExploreOptions].Cuts) leave the classes as they are: whatever a rank that fails does not
// send is missing on whichever links are left.
//
// What is given ([ExploreOptions].Given) happens in every run. It leaves the classes as they are, too, unless ranks come back: a rank that is given
// to fail is as silent afterwards as any other, and until then its points are explored like those of others; the first of its failures
// counts. With rejoins among what is given every point of every life is run. Delays are then tried by the tick, as beside anything that is
// given by the clock: between two delays that lead to the same order there may be one with which a message meets that instant.
//
// Failures are tied to points of the program and not to instants, so that a schedule means the
// same after unrelated changes.
//
// # Which delays differ
//
// What others can notice of a late message is its place: after which other messages its receiver takes it, and after which of its decisions by
// time, and what follows from that. Two runs in which all ranks take the same messages and see the same deadlines pass, in the same order,
// are one case, and [Exploration].Cases has all that were met. Delays are not tried by the tick. The order in a run is finer than its
// case: it says also what waits for what. Each instant of a run is a sum of costs and delays, and which sum that is depends on the order alone; so the
// delays that lead to some order are the solutions of linear inequalities, and lie between any two of them. An exploration tries the shortest
// delay and one that is so long that all others have come to rest, and goes on between two delays only if they lead to different orders. With several
// delays the sequence of orders that the others can lead to takes the place of the order.
//
// That supposes that programs reckon with time in sums: instants that they have seen, plus something. One that rounds what its clock
// says may do otherwise; [ExploreOptions].Every tries each tick. A test compares both on random programs.
//
// Programs that do not look at the clock at all have orders of deliveries only, and [Orders] runs all of them, for any number of delays.
//
// # Order
//
// Faults that follow from one another have an order in time: the first one happens as in a
// run without faults, the second as in the run with the first. Explore extends a schedule only
// by faults that show later than those it has, in the run that it leads to. That way it meets
// every set of faults once, also those whose points exist only because of other faults.
//
// A rejoin shows when it happens, which is later than the failure it follows from; the failures
// of ranks that may come back show when they happen, too. At one instant cuts come first, then
// rejoins, then failures: a rank may fail again at the instant at which it comes back; what happens to a message, which shows when it leaves its
// sender, is the last.
//
// Points count through all lives of a rank. In one case a point has the same number in two
// lives: the send in which a rank fails is none, so the next life's first has its number. A
// failure before that send would have come in the life before, so it is left out; one in the
// middle of it, of the other kind, happens in the order in which the schedule lists them, unless a failure by the clock came after
// the middle.
//
// # Seeds
//
// Random runs have a seed each, if [FuzzOptions].AnySeed says so: what is random in a program is not the same in all of them. A
// violation has its seed, and is made smaller to the subject's own if that will do, or else to a small one. [ExploreOptions].Seeds repeats an exploration.
//
// # What is found
//
// Violations are kept by what they break: of all schedules that break the same guarantees, the smallest, and how many
// runs do. A guarantee that is broken beyond what an algorithm claims to stand is another class ([Class]), so
// that it does not hide a promise that is broken. Neither is a schedule of the one made smaller to one of the other.
//
// A search also counts in how many of its runs each promise was judged (guarantee.Tally): one that is not claimed for
// most schedules has not been tested by them.
//
// # Going on later
//
// An exploration that is interrupted can be resumed, also by another process: a [State] keeps it in a
// file, together with what it is about.
package search
