// Package launch runs the lines of package scenarios on real processes, on this host or on others:
// the same line, the same schedule of failures, the same guarantees.
//
//	run, err := scenarios.All().ParseLine("broadcast P=64 tick=5ms faults=crash:3@send2")
//	outcome, err := launch.Launch(ctx, run, launch.Options{Processes: 64})
//
// # What happens
//
// The launcher is the coordinator of package transport/tcp. It starts the processes, each of which
// runs [Work]: it makes the same experiment out of the same line, runs its ranks and sends back
// how that went, with what the protocol has left behind ([scenarios.State]). The launcher puts that
// into an experiment of its own and judges the run as one of the emulator.
//
// With a process for each rank, crashes are SIGKILLs and hangs are SIGSTOPs, which processes send
// themselves at the scheduled points; a rank that comes back is a process that is started again.
// With several ranks in a process they are goroutines that end or wait.
//
// Ranks of protocols that store have a folder for it on their host (storage.go), which is temporary unless somebody names one.
//
// # Starting processes
//
// A process gets its specification over its standard input, so that the job's secret stands neither among
// its arguments nor in its environment, where others on the host could read it. That input stays
// open as long as the launcher lives; a process whose input ends, ends. So does one that has
// stopped itself, on Linux, where it asks to be killed with the thread that started it.
//
// On other hosts, an agent (the command "mangrove agent") is started over ssh, or whatever
// command is configured; it starts and kills processes there as it is told, and kills all of
// them when it loses its input.
//
// Next: launch.go for the course of a run, judge.go for what becomes of the result.
package launch
