package tcp

import (
	"fmt"
	"net"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Pace says what keeps to the LogP model on a machine that is faster.
type Pace uint8

const (
	// Free lets everything happen as fast as it can.
	Free Pace = iota
	// Sends makes a send take as long as the model says. Messages are received as soon as they
	// come, so L is what it is in LogP: an upper bound, on which deadlines may rely.
	Sends
	// Model makes messages take as long as the model says, too, at least.
	Model
)

var paceNames = [...]string{Free: "free", Sends: "sends", Model: "model"}

// String names the pace in one word.
func (p Pace) String() string {
	if int(p) >= len(paceNames) {
		return fmt.Sprintf("pace(%d)", uint8(p))
	}
	return paceNames[p]
}

// Paces returns all of them.
func Paces() []Pace { return []Pace{Free, Sends, Model} }

// Job is what all processes of a job have to agree on.
type Job struct {
	wire.Job
	clock.LogP
	Processes int
	// Network says how long messages are under way, for pace Model. Nil: Latency for all.
	Network clock.Network
	// Jitter is by how much messages leave later than that, by chance. Nil: by nothing.
	Jitter clock.Jitter
	// Unordered lets messages overtake others on the same link that are late.
	Unordered bool
	// Disk is how long operations of stable storage take at least, unless the pace is Free: then it is only what slow ranks are slower by.
	Disk   clock.Disk
	Tick   time.Duration // how long a tick is
	Pace   Pace
	Seed   uint64          // of the ranks' random streams
	Faults faults.Schedule // explicit: generators are expanded before
	// Name says what is run. Processes that say something else do not take part.
	Name string
	// Encrypt hides what goes over the wire from those who can listen.
	Encrypt bool
	// Eager has all connections opened before the run, and not when they are needed.
	Eager bool
	// MaxFrame limits the length of frames between two processes, in bytes. 0: wire.DefaultLimit,
	// which also holds for what a process and the coordinator tell each other, if it is more.
	MaxFrame int
}

// Config describes one process of a job.
type Config struct {
	Job
	Process int // its number, from 0 on
	Life    int // how often it has been started before

	// Listen is the address on which others reach this process. "": any port of 127.0.0.1.
	Listen string
	// Anywhere allows addresses that others than this host can reach.
	Anywhere bool
	// Signals makes faults real: this process kills or stops itself. It needs a process for each
	// rank. Otherwise only the rank's goroutine ends, or waits.
	Signals bool
	// Hosts says that this process will be the host of the coordinator: others may look for it here before it is there.
	Hosts bool
	// Storage is a folder for what ranks here keep, each in a file of its own: rank-3, for example. It must be there, and none of these files
	// when the ranks are in their first life. "": ranks have no storage.
	Storage string
	// Carrier takes messages of ranks to other processes. Nil: connections do.
	Carrier Carrier
	// Log takes a line about anything unusual, such as a connection that was dropped. Nil: none
	// is wanted.
	Log func(line string)
}

// terms are what all processes must agree on, in words.
func (j *Job) terms() string {
	disk := ""
	if d := j.Disk; d != (clock.Disk{}) {
		disk = fmt.Sprintf(" write=%d sync=%d read=%d", d.Write, d.Sync, d.Read)
	}
	return fmt.Sprintf("%s (P=%d L=%d o=%d g=%d G=%d%s tick=%s pace=%s seed=%d faults=%s on %d processes)",
		j.Name, j.Ranks, j.Latency, j.Overhead, j.Gap, j.PerByte, disk, j.Tick, j.Pace, j.Seed, j.Faults, j.Processes)
}

func (j *Job) layout() layout { return layout{j.Ranks, j.Processes} }

// follow returns a tracker for a rank that has come so far, or nil if it has no faults.
func (j *Job) follow(rank int, h faults.History) *faults.Tracker {
	t := faults.NewTracker(j.Faults, rank)
	if t != nil {
		t.Resume(h)
	}
	return t
}

// problems are those of this package and of others, so each says whose it is.
func (j *Job) problems() (wrong problems.List) {
	if err := j.LogP.Validate(); err != nil {
		return problems.List{err} // what follows depends on it
	}
	var own problems.List
	own.Check(j.Processes >= 1 && j.Processes <= j.Ranks, "%d processes, want 1 to %d, the number of ranks", j.Processes, j.Ranks)
	own.Check(j.Tick >= 1, "tick of %s, want 1ns or more", j.Tick)
	own.Check(j.Pace <= Model, "pace %d, want %d to %d", j.Pace, Free, Model)
	own.Check(j.MaxFrame == 0 || j.MaxFrame >= wire.Overhead && j.MaxFrame <= maxMaxFrame,
		"frames of up to %d bytes, want 0 for the usual limit or %d to %d", j.MaxFrame, wire.Overhead, maxMaxFrame)
	_, nodes := j.Network.(clock.Nodes)
	own.Check(!nodes, "a network of nodes, want one on which all messages cost the same overhead")
	err := j.Faults.Validate(j.Ranks)
	if err == nil && !j.Faults.Explicit() {
		own.Add("faults %s, want ranks that have been drawn", j.Faults)
	}
	wrong.In("tcp", own)
	wrong.Note(err)
	wrong.Note(j.Disk.Validate())
	if j.Jitter != nil {
		wrong.Note(j.Jitter.Validate())
	}
	return wrong
}

const maxMaxFrame = 1 << 30

// maxFrame is the limit on connections of that role.
func (j *Job) maxFrame(role wire.Role) int {
	switch {
	case j.MaxFrame == 0:
		return wire.DefaultLimit
	case role == wire.Member:
		return max(j.MaxFrame, wire.DefaultLimit)
	}
	return j.MaxFrame
}

// validate returns an error that lists everything wrong with the configuration, or nil.
func (c *Config) validate() error {
	var own problems.List
	own.Check(c.Process >= 0 && c.Process < c.Processes, "process %d, want 0 to %d", c.Process, c.Processes-1)
	own.Check(c.Life >= 0, "life %d, want 0 or more", c.Life)
	own.Check(!c.Signals || c.Processes == c.Ranks, "signals with %d processes for %d ranks, want a process for each rank", c.Processes, c.Ranks)
	wrong := c.problems()
	wrong.In("tcp", own)
	wrong.Note(checkAddress(c.Listen, c.Anywhere))
	return wrong.Err("")
}

const loopback = "127.0.0.1:0"

// checkAddress refuses addresses that others can reach, unless they are asked for.
func checkAddress(address string, anywhere bool) error {
	if address == "" || anywhere {
		return nil
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return problems.New("tcp", "address %q, want host:port", address)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return problems.New("tcp", "address %q can be reached by others, want one of 127.0.0.0/8, ::1 or localhost unless that is asked for", address)
}
