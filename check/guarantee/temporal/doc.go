// Package temporal has promises over time: that something always is so, comes within so many ticks of the last failure, or is so until something else
// happens. They are guarantees like all others (package guarantee), with premises if need be, and are judged by the events of a run.
//
//	leader := temporal.While("leader", temporal.Step("lead"), temporal.Step("follow"))
//
//	temporal.Always("one leader at a time", leader.AtMost(1))
//	temporal.Settles("a leader", temporal.AfterLastFailure, 500, leader.AtLeast(1))
//	guarantee.When(guarantee.NobodyFails, temporal.LeadsTo("whoever asks is answered", temporal.Step("ask"), 90, temporal.Step("answered")))
//
// # What happens, and what is so
//
// A [Happening] is a kind of event: a rank passes a step, takes a message, crashes. Programs name the points that promises are about with protocols.Proc.Step.
//
// A [State] is something that a rank is from one event of its own until another one, such as the leader. A crash or a hang ends it: whoever has failed leads no more, even
// if nobody has noticed yet, and enters no state until it comes back, though the mailbox of a rank that hangs goes on receiving. A rank that comes back is not in it. That its
// program returns does not end it.
//
// A [Condition] is about how many ranks are in a state. It changes with events, and counts as it stands when all events of an instant have happened. So if one
// rank steps down at the instant at which another one steps up, there were never two leaders, nor none; and what begins and ends at the same instant never was.
//
// # Promises
//
//	Always      a condition holds at each instant           safety if it holds where nobody does anything
//	Never       something does not happen                   safety
//	WeakUntil   a condition holds until something comes     safety, likewise
//	Until       likewise, and that comes
//	Eventually  something comes within so many ticks of a moment
//	Settles     likewise, and stays
//	LeadsTo     for each rank: one thing leads to another, unless the rank has failed or does so in time
//
// A [Moment] is the start, the last failure or disturbance, or each of a kind of event.
//
// # The end of a run
//
// A run that has a report is over: everybody has returned, has failed, or waits for what does not come. Nothing happens after its last event, and everything stays as it is, for
// ever. So what was promised within 500 ticks of a failure and has not come when the run is over 20 ticks after it is broken: nothing more will come. (A run that is
// cut off by a time limit has no report, and no verdicts.) If the last rank failed before those 500 were over, nothing is claimed; nor is it of what settled in time and stayed until
// the last rank failed. Nor is it where nothing was looked at: Always of a state that no rank was ever in, what was to follow an event that never came. A last failure is
// always there: if nobody failed, it is the start.
//
// # Machines
//
// Guarantees of this package need events. Tests with package emutest record them of their own accord; the emulator does with
// emu.TraceEvents, processes with --trace. On processes the clocks of two ranks may differ by report.Report.ClockError; the evidence says so, and what is not so for less
// than that may not have been at all.
package temporal
