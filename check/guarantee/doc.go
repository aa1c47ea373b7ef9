// Package guarantee has the promises of protocols as code: checkers over what a run leaves
// behind, its report and, if recorded, its events.
//
//	verdicts := guarantee.Check(guarantee.Run{Report: report, Roots: []int{0}},
//		guarantee.ReachesEveryLiveRank{},
//		guarantee.When(guarantee.AtMostFailures(1), guarantee.Termination{By: 200}),
//		guarantee.Integrity{})
//
// # Verdicts
//
// A [Verdict] has one of three values, and says why: which rank, at which instant.
//
//	Broken      something was claimed, and is not so
//	Held        something was claimed, was looked at, and is right
//	NotClaimed  nothing was promised for such a run, or there was nothing to look at
//
// A checker that has looked at nothing has not found anything wrong, but that says nothing of the protocol: it
// answers NotClaimed, and so does a promise in a run that does not meet its premises. The evidence then says which
// premise fails, and how.
//
// [Overall] is what the verdicts of a run come to. A verdict is about safety if a protocol that does nothing
// would be given a good one, too: nobody waits for ever, no message is invented. That is necessary, but a run in
// which only that was judged has achieved nothing. So of a protocol that also promises to achieve something, a
// run without anything broken held if that was judged, and is not claimed if it was not. The guarantees of this package know
// whether they are about safety; [Safety] says it of others.
//
// [Tally] counts in how many of many runs each promise was judged, and in how many it was broken. A promise that is
// hardly ever judged has hardly been tested; [Tally.Warning] says so.
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
// Termination finds. [ReachedRanksReturn] is about those that have the message: they do not wait for
// ever, whoever fails.
//
// If a root failed and nobody was reached, the message died with it. ReachesEveryLiveRank then claims nothing.
//
// # Guarantees of any protocol
//
//	Termination  every live rank's program returns, by some instant if one is given
//	NoDeadlock   no rank waits for ever
//	SentOnce     no rank sends the same message to another twice
//
// A run that ends with an error, because a program goes on without end or panics, has no
// report and hence no verdicts.
//
// Package temporal, below this one, has promises over time: that something always is so, or comes within so many ticks of the last failure. Package
// check/history has those about what clients of a register, a store or a queue have seen.
//
// # Promises
//
// What a protocol promises is a guarantee and the premises under which it does: a [Promise]. [When] adds one
// [Premise] to a guarantee, and what is added last is looked at first.
//
//	RootsLive                the root lives: for everything that waits for a root's message
//	NobodyFails              at whatever time, also if it comes back
//	AtMostFailures           so many at most, at whatever time
//	NoFailureMeanwhile       any number before the run, nobody in it: checked correction
//	AtMostFailuresMeanwhile  any number before the run, so many at most in it: failure-proof correction
//	NobodySlow               no rank is slowed down: for everything with deadlines
//	InTime                   no message is late, and jitter has a bound: likewise
//	LinksHold                no links are cut, not even for a while
//	NothingLost              no message is lost otherwise
//	EveryMessageArrives      the last two together
//	ArrivesOnce              no message arrives a second time
//	NobodyCameBack           who has failed stays away
//	Undisturbed              every message arrives and nobody comes back, which most protocols presuppose
//
// Premises say for which runs there is a promise at all. An algorithm may stand less than that: a broadcast is to reach
// everybody though ranks fail, and a plain tree does so only if nobody fails. [Promise].Stands says that. Runs
// beyond it are judged all the same, as it is worth knowing how often an algorithm gets by; what is broken then says
// that it was beyond what is claimed, and what that is ([Verdict].Beyond).
//
// [All] joins several guarantees under one name: broken if one of them is, and not claimed if none claims anything. Whether
// the whole is about safety it does not know. [Spreading] has the promises of a broadcast.
//
// # Events
//
// Guarantees I and II and SentOnce need the events of a run, so the machine must have been made with
// emu.TraceEvents; [Check] leaves them out if there are no events. Events must be in the
// order of emu.CompareEvents, as those of a report are. The evidence counts what was looked
// at. The other guarantees read the report only, and cost next to nothing.
//
// # Writing one's own
//
// [Func] makes a guarantee of a function that says whether it held, [VerdictFunc] of one that may
// also find that there is nothing to claim. Evidence should be worth reading by someone who has not seen
// the run: which rank, when, why.
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
