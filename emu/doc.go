// Package emu is the emulator: it runs a protocols.Program on up to millions of ranks in
// one process, on virtual time, with failures on schedule.
//
//	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 1024, Latency: 2, Overhead: 1}})
//	report, err := machine.Run(ctx, program, emu.Options{Faults: schedule, Seed: 7})
//
// A run is a pure function of program, configuration, fault schedule and seed. The number
// of workers and of processors changes nothing but the wall time; [report.Report.Hash] proves it.
//
// # How it works
//
// Every rank is a goroutine with a channel mailbox (package mailbox). It is started when
// the rank first has something to do and ends when the rank is done or fails.
//
// Time advances in windows. The length of a window is the lookahead 2o+L (package clock):
// what a rank sends in a window cannot be in a mailbox before the next one. So in each
// window every rank that has something to do is woken once, runs on its own as far as it
// can, and parks; nobody waits for anybody but the barrier at the window's end. A window
// starts at the earliest instant at which anything can happen, so idle time costs nothing.
//
//	sender   puts its message into a cell and pushes it onto the receiver's chain
//	barrier  all ranks of the window have parked; the next window opens
//	worker   takes the chains of its ranks, sorts them by (arrival, sender, send order),
//	         passes them through the receive ports and wakes the ranks they concern
//
// Workers own ranks only for the length of a window, about 64 at a time, and the order in which
// they get to them has no influence on what happens. On a contended network a message's arrival
// depends on others; such messages pass their bottleneck at the barrier (contention.go).
//
// # What failing means
//
//   - Crash: from its crash instant on a rank neither sends nor receives nor computes. A
//     message is sent only if its sender lives to the end of the send overhead. A message
//     is received only if its receive ends at or before the crash.
//   - Hang: the program takes no further step; the ports go on receiving.
//   - Slow-down: operations of the ports that start from then on take a multiple of the time.
//   - Rejoin: a rank that has failed before begins its program again, with an empty mailbox and
//     its random stream at the start. What arrives from then on reaches it, whenever it was sent;
//     its sends, receives and steps are counted on. It may act at once, and
//     Life tells it that it has lived before.
//   - Cut: a message that leaves its sender from then on disappears on the cut link. Its sender
//     has paid for it and learns nothing; what is under way arrives.
//
// Points of a schedule that count sends, receives or steps take effect in the program: a
// rank that crashes in the middle of a send of overhead o does so o/2 ticks (rounded down)
// after the send began. A slow-down before or in the middle of a send includes that send.
//
// # How a run ends
//
// A run is over when no rank can act, no message is under way and no timer is set; a failure that
// is still to come to a rank that waits counts as a timer. Ranks that still wait then are
// deadlocked: a result, not an error, with a diagnosis ([report.Report.Deadlocks]); those that linger
// (Proc.Linger) have finished. A panic in a program, a program that never advances its clock
// ([Config.StepLimit]), a time limit or a cancelled context end the run with an error.
// Whatever the end, no goroutine is left, unless [Machine.Keep] asks for it. Only a program
// that blocks or loops outside its Proc cannot be stopped; a run waits for it.
//
// # Several processes
//
// A machine may be one part of several that share the ranks among them ([Config].Part, package emu/parts). Between two
// windows they exchange mail and what all must know (exchange.go); a run is the same, and part 0 reports it, or all of them do,
// each with the results of its own ranks ([Config].Apart, gather.go).
//
// # Where to read next
//
// machine.go has the life of a run, window.go the barrier scheduler, worker.go the waking
// of ranks, rank.go and receive.go the calls of a rank, admit.go the receive side, fail.go
// how ranks die, detectorstate.go how others come to know of it, uneven.go what is different if they
// do not do so all at once.
package emu
