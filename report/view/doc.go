// Package view writes a run as one page that a browser shows: a timeline to zoom into, and the
// tree and the ring of ranks, coloured as time is played.
//
//	report, err := machine.Run(ctx, program, emu.Options{}) // with emu.TraceEvents
//	err = view.Write(file, view.Run{
//		Run:   traceevent.Run{Report: report, KindName: program.KindName},
//		Ranks: view.DefaultRange(len(report.Ranks)),
//	})
//
// A page is one file. It loads nothing, and its own policy forbids it to; what is shown is in it
// as JSON (data.go).
//
// # What is shown of whom
//
// Each message, step and notice of the ranks of a [Range] is drawn, up to [Run.Limit]; a message
// is in if one of its ends is. The curves (ranks coloured, messages sent and received) and the
// report are about all ranks, so a run of a million ranks has a page, too, of a range that is
// worth looking at closely. What a page leaves out is said on it.
//
// Operations of stable storage are bars among the sends of their rank (storage.go). Verdicts have their marks
// (guarantee.Mark), with which a checker shows what it is about: an operation that is not linearizable, from its invocation
// to its response (verdicts.go). Pages of runs without storage and without marks have nothing of either.
//
// The tree is that of who coloured whom: above a rank is the sender of the first message that it
// received. Where nothing is spread (traceevent.Run.Uncoloured) there is none.
//
// Times are whole ticks. Browsers compute with 53 bits: after 2^53 ticks instants are rounded. clock.Forever, and all above it, is
// never as the end of a mark.
//
// Next: package traceevent, which tells messages apart; docs/view.md for how to use a page.
package view
