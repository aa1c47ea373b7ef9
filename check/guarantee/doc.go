// Package guarantee has the promises of protocols as code: checkers over what a run leaves
// behind, its report and, if recorded, its events.
//
//	verdicts := guarantee.Check(guarantee.Run{Report: report, Roots: []int{0}},
//		guarantee.ReachesEveryLiveRank{},
//		guarantee.When(guarantee.AtMostFailures(1), guarantee.Termination{By: 200}),
//		guarantee.Integrity{})
//
// A [Verdict] says whether the promise was kept, and why: which rank, at which instant. If nothing was
// promised in such a run, it says that ([Verdict].NotClaimed), and why.
//
// # The guarantees of a broadcast
//
// Corrected Gossip (section II) and Corrected Trees (section 2.1) describe a reliable
// broadcast by four guarantees. They are about ranks that do not fail; of those that do,
// the checkers look at what they did up to then, because until it fails a rank is correct.
//
//	I   Integrity              what is received was sent before, by the rank it came from
//	    OnlyColouredRanksSend  who passes the message on has got it
//	II  NoDuplicates           a rank delivers once per operation
//	III NonfaultyLiveness      if no root fails, at least f(n) of n live ranks are reached
//	IV  FaultyLiveness         if a root fails, at least f(n) of them, or none
//
// The [Level] is the function f: [Strong] is all of them, [Weak] all but a few, and
// [AtLeast] a fixed number. [ReachesEveryLiveRank] is III and IV together at the strong
// level, which is what the papers call consistent. A rank is reached if it is coloured: it
// has received a message, or it is an initiator of the program. In a series of broadcasts
// that is about the first of them; a rank that misses a later one waits for ever, which
// Termination finds.
//
// # Guarantees of any protocol
//
//	Termination  every live rank's program returns, by some instant if one is given
//	NoDeadlock   no rank waits for ever
//
// A run that ends with an error, because a program goes on without end or panics, has no
// report and hence no verdicts.
//
// # Putting guarantees together
//
// [All] joins several under one name. [When] promises something under a condition only, and
// holds without further ado if the condition is not met; the evidence then says so. The
// papers' conditions are here: [NoFailureMeanwhile] for checked correction, [AtMostFailures]
// for failure-proof correction, and [RootsLive] for everything that waits for a root's
// message. All of them presuppose reliable links, and ranks that do not come back:
// [Undisturbed] says so where a schedule may have cuts and rejoins.
//
// # Events
//
// Guarantees I and II need the events of a run, so the machine must have been made with
// emu.TraceEvents; [Check] leaves them out if there are no events. Events must be in the
// order of emu.CompareEvents, as those of a report are. The evidence counts what was looked
// at, so that a checker that has seen nothing gives itself away. The other guarantees read
// the report only, and cost next to nothing.
//
// # Writing one's own
//
// [Func] makes a guarantee of a function. Evidence should be worth reading by someone who
// has not seen the run: which rank, when, why.
//
//	cheap := guarantee.Func("costs at most 5 messages a rank", false,
//		func(run guarantee.Run) (held bool, evidence string) {
//			sent, ranks := run.Report.Messages, len(run.Report.Ranks)
//			return sent <= int64(5*ranks), fmt.Sprintf("%d messages on %d ranks", sent, ranks)
//		})
//
// What a report does not hold, such as the values that ranks have computed, the function
// can take from wherever the program has left it. A type of one's own that implements
// [Guarantee] does as well. Check must not keep the report, whose memory the next run may
// use again, and must not change it.
package guarantee
