package launch

import (
	"cmp"
	"io"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Options say how to run a line on processes.
type Options struct {
	// Processes is their number. 0: one for each rank.
	Processes int
	// Pace says how much of the model is kept to. The default, tcp.Free, keeps to nothing.
	Pace tcp.Pace
	// Command starts a process that runs Work. Nil: this very program, with the argument "worker".
	Command []string
	// Hosts are where to start processes, in turns. None: here.
	Hosts []Host
	// Shell is what starts a command on another host, whose name and the command follow it. Nil:
	// ssh, without asking for anything.
	Shell []string
	// Agent is the command that starts processes on other hosts. Nil: mangrove agent.
	Agent []string
	// Listen is the address on which processes reach the launcher. "": any port of 127.0.0.1. With
	// hosts it must be one that they can reach.
	Listen string
	// Encrypt hides from others on the network what processes tell each other.
	Encrypt bool
	// Eager has all connections opened before the run, and not when they are needed.
	Eager bool
	// Patience is how long a failure detector waits for signs of life, at least. 0: a second.
	Patience time.Duration
	// Timeout ends a run that is not over. 0: a minute.
	Timeout time.Duration
	// Storage is a folder for what ranks keep that outlives their processes, on each host: one that is empty, or is made. "": a temporary one, which
	// does not outlive the run. Only for protocols that store.
	Storage string
	// Record has the outcome's report have the events of the run, so that guarantees that look at them are judged, too.
	Record bool
	// Stderr takes what processes say about anything unusual. Nil: nothing is wanted.
	Stderr io.Writer
}

const (
	usualPatience = time.Second
	usualTimeout  = time.Minute
	// joinTimeout is for the start of all processes.
	joinTimeout = 2 * time.Minute
	// perProcess is how long it takes at most to tell a process when to begin.
	perProcess = 200 * time.Microsecond
	startDelay = 20 * time.Millisecond
)

// delayOf is how long a run of so many processes waits until all of them know that it begins.
func delayOf(processes int) time.Duration { return startDelay + time.Duration(processes)*perProcess }

// jobOf is what the network must know of a line.
func jobOf(run *scenarios.Run, key wire.Job, schedule faults.Schedule, o Options) tcp.Job {
	x := run.Config()
	return tcp.Job{
		Job: key, LogP: x.LogP, Network: x.Network, Jitter: x.Jitter, Unordered: x.Unordered, Processes: o.Processes, Tick: time.Duration(run.Settings().Unit()), Disk: x.Disk,
		Pace: o.Pace, Seed: run.Settings().Seed(), Faults: schedule, Encrypt: o.Encrypt, Eager: o.Eager, Name: run.Spelled(),
	}
}

// signals says whether faults are real: each rank has a process of its own.
func signals(job tcp.Job) bool { return job.Processes == job.Ranks }

// check says what cannot be run on processes.
func check(run *scenarios.Run, o Options) error {
	var wrong problems.List
	x := run.Config()
	wrong.Check(o.Processes >= 1 && o.Processes <= x.Ranks, "%d processes, want 1 to %d, the number of ranks P", o.Processes, x.Ranks)
	wrong.Check(run.Settings().Unit() != 0, "ticks have no length; want one, such as tick=5ms")
	wrong.Check(!x.Detection.Slow, "detector=wrong: nobody is taken for failed on processes who is not; want perfect, delayed, heartbeat or uneven")
	_, nodes := x.Network.(clock.Nodes)
	wrong.Check(!nodes, "nodes=%s: processes are where they were started; want none", run.Settings().Text("nodes"))
	wrong.Check(x.Noise == nil, "noise=%v: processes have that of their own machine; want none", x.Noise)
	wrong.Check(len(o.Hosts) == 0 || o.Listen != "", "hosts without an address at which they reach this one")
	if err := line.Refuse(wrong...); err != nil {
		return err
	}
	return checkStorage(run, o.Storage)
}

// detectionOf is the failure detector that a line asks for, as processes can have it: what closes
// connections is noticed at once, and hangs when there has been no sign of life for a while, which
// on a busy machine must not be too short.
func detectionOf(run *scenarios.Run, patience time.Duration) tcp.Detection {
	d := run.Config().Detection
	detection := tcp.Detection{Offered: d.Delay > 0}
	if d.Hangs {
		detection.Timeout = max(cmp.Or(patience, usualPatience), time.Duration(d.Delay)*time.Duration(run.Settings().Unit()))
	}
	return detection
}
