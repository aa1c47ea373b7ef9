// Package tcp runs protocols on real networks: the same programs that package emu runs, on
// processes that send each other messages over TCP.
//
//	coordinator, err := tcp.NewCoordinator(tcp.CoordinatorConfig{Job: job})
//
//	node, err := tcp.Listen(tcp.Config{Job: job, Process: 3})       // in each process
//	err = node.Join(ctx, addressOfTheCoordinator)
//	err = node.Run(ctx, program, nil)
//
//	err := coordinator.Start(ctx, 10*time.Millisecond)
//	result, err := coordinator.Wait(ctx)
//
// [RunLocal] does all of that in one process. Its [Result] has a report as the emulator makes it, by
// the same rules and with the same explanations. Package scenarios/launch starts processes, here and
// on other hosts, and judges what they report.
//
// # Processes, ranks and connections
//
// A [Job] has as many processes as one likes, up to one for each rank; layout.go says which rank
// lives where. Two processes have one connection for all their ranks, opened when there is something
// to send. What goes over it, and how both sides make sure that the other one belongs to the job, is
// in package wire. Processes listen on the loopback interface unless asked to do otherwise.
//
// A [Carrier], such as an MPI library, can take messages of ranks in place of connections. All else stays as it is: what processes and the
// coordinator tell each other goes over TCP.
//
// # Time
//
// Clocks show ticks, which have a length here. Processes on the coordinator's host read the same clock as it does, so all agree on the
// instant 0. Those on other hosts ask the coordinator what time it is, before the run and again and again during it, and know by how much
// they may be wrong: the result says by how much clocks may have differed ([report.Report].ClockError). [Pace] says how much of the LogP model is kept to on a network that is usually faster.
//
// # Failures
//
// The job's schedule is that of package faults. If [Config].Signals is set, each rank has a process
// of its own and faults are real: a crash is a SIGKILL that the process sends itself at the
// scheduled point, after half a message if that is in the middle of a send; a hang is a SIGSTOP.
// Otherwise the rank's goroutine ends or waits for ever, and the others of its process live on.
// What is sent to a rank that hangs disappears: its process says that it will stop before it does, and others throw away what they
// would send to it. A process that somebody else stops does not, and what is sent to it waits until somebody notices.
// Before it fails, a rank tells the coordinator, for the report. A process that somebody else has
// killed is in the report, too.
//
// What a schedule does to messages and links happens in the process that sends: it throws away what is lost, and keeps what is late
// until it is to leave. Before it fails it hands over what it keeps, and receivers wait in its place.
//
// Who cannot be reached gets nothing: messages to a process that refuses, or has ended, are lost
// without notice, as the contract has it. A connection that breaks between two processes that live,
// or over which something comes that does not belong there, is dropped with a line in the log, and
// opened again for the next message; what was under way is lost then, as on a cut link.
//
// # Stable storage
//
// A process with a folder for it ([Config].Storage) offers protocols.Storage: each rank has a journal there (package internal/journal), and a
// sync writes to its end what was changed and has the disk flush it. What is not safe stays in the memory of the process, because files would
// outlive a process that is killed; if the schedule keeps some of it, that is written just before the rank fails. Whoever is killed by somebody else has what
// it has synced; of a sync that was under way then, all or nothing. The next life reads the journal, here or in another process. How long operations take at
// least is said by Job.Disk, as far as the pace keeps to the model.
//
// If the disk fails, the process of the rank ends with an error, and to others the rank has failed.
//
// # Events
//
// [Coordinator.Record] has processes record what their ranks do (recording.go), as the emulator does. They send it when the run is over, or before they kill or
// stop themselves, and the coordinator makes one list of it (events.go, merge.go), in which causes come before their effects as far as clocks leave that open.
//
// # Failure detector
//
// A process that ends closes its connection to the coordinator. One that hangs gives no signs of
// life there; it is then fenced, which means that somebody kills it, so that nobody is ever taken
// for failed who is not. The coordinator decides in which order failures become known, for
// protocols.Detector promises the same list to all. So it is a single point of failure, like
// the launcher of an MPI job: if it ends, so do all processes.
//
// # The end
//
// A run is over when nothing can happen any more: all programs have returned or wait for messages,
// and none is under way. Processes report when they are idle, with how many messages they have sent
// to and received from whom over the connection that they have; if these agree, and agree once more
// when everybody is asked again, that is the end (the two waves of Mattern's method). It is what lets
// ranks linger, and what finds deadlocks. What was lost with a connection that broke counts no more.
//
// # Where to read next
//
// config.go and coordinator.go have what users set. A rank is in rank.go, send.go, wait.go and inbox.go,
// which are the Proc, what it keeps in storage.go, its faults in rankfaults.go and lastwords.go, and what makes its messages late in held.go. A process is in node.go, run.go and
// messages.go, its connections in link.go, connect.go, outbox.go, intake.go, socket.go and acceptor.go, how ranks look for what comes over them in
// watch.go, and what it knows of failures in detector.go. The coordinator begins a run in start.go and ends it in termination.go; member.go,
// failures.go, heartbeats.go and restart.go are about what happens to processes meanwhile, and result.go
// is what comes of it. What the two tell each other is in control.go and rankreport.go, and the process's
// side of that in join.go, coordinatorconn.go, changes.go and status.go. What time it is, is in clock.go and timekeeping.go: read from the clock
// of the host (hostclock.go), or estimated (offset.go) and kept in step (steering.go).
package tcp
