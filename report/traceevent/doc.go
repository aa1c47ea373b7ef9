// Package traceevent writes a run in the trace-event format, which Perfetto
// (ui.perfetto.dev) and chrome://tracing show as a timeline.
//
//	report, err := machine.Run(ctx, program, emu.Options{Seed: 7}) // with emu.TraceEvents
//	err = traceevent.Write(file, traceevent.Run{Report: report, KindName: program.KindName})
//
// # What is in a file
//
// A tick is shown as a microsecond. All ranks are one process; a rank has two threads, because
// its two ports work at the same time (package clock) while slices of one thread may not
// overlap:
//
//	rank 3            its sends, and what happened to its program
//	rank 3 receives   its receives; with clock.LogP.ManyReceives as many threads as it needs
//
// A send or receive is a slice, as long as its overhead, named by the kind of the message. So
// is a notice of the failure detector. A send whose sender failed in the middle of it ends
// there. A message that was received is an arrow (a flow) between its two slices. Failures,
// colouring, named steps, lost messages and ranks that wait for ever are instants. What a
// program takes from its mailbox, and when it returned, is left out.
//
// # How messages are told apart
//
// Events do not say which send a receive belongs to. Between two ranks, messages with the same
// kind, epoch and value A arrive in the order in which they were sent, so it is the first of
// them that is still under way; others may overtake, and one that is there once more arrives so
// much later than the first. One that is lost at a crashed rank is the first of them, too, one
// that is lost on a cut link the last. So memory is needed for the messages that are under way at
// the same time, and not for all events.
//
// There are two exceptions. Under LogGP a rank that failed after a long send and has begun again
// may send the same once more, which overtakes the first: then the two arrows may be exchanged.
// And what happens to the long message may come after the next send, and is then shown there.
//
// # How long slices are
//
// Events say when a receive ended. On a slow rank, when it began follows from when its message
// arrived and when the port was free. That is exact unless the receive began close to an
// instant at which the rank became less slow, and when its message arrived is not known: under
// LogGP, as events do not have the size of messages, on a contended network, and for notices.
//
// [Visit] has all of this for other ways to show a run; package view is one.
//
// Next: package report for the events, docs/traces.md for how to open a file.
package traceevent
