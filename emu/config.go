package emu

import (
	"math"
	"runtime"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Config describes a machine.
type Config struct {
	clock.LogP

	// Network says how long messages are under way. Nil: the same Latency for all pairs.
	Network clock.Network
	// Disk is how long operations of stable storage take, which every rank has. The zero Disk takes no time.
	Disk clock.Disk
	// Detection is how failures are detected. The zero Detection is not at all.
	Detection Detection
	// Jitter is by how much messages are late, each by chance. What is drawn depends on the seed of a run. Nil: not at all.
	Jitter clock.Jitter
	// Noise takes processors away from ranks now and then, as the seed of a run has it. Nil: never.
	Noise *clock.Noise
	// Unordered lets messages between two ranks overtake each other if one is late, as datagrams do. Otherwise they
	// arrive in the order in which they were sent, as with TCP and MPI.
	Unordered bool
	// Workers is the number of goroutines that drive the ranks. 0: one for each processor
	// Go may use. It has no influence on results.
	Workers int
	// StepLimit is how many calls in a row a rank may make without its clock advancing.
	// 0: a million.
	StepLimit int
	// TimeLimit ends a run that goes on after this instant, give or take the length of a
	// window. 0: 2^60 ticks.
	TimeLimit clock.Time
	// Trace says what is recorded about a run. Reports have a hash from TraceHash on.
	Trace TraceLevel
	// Eager starts every rank at time 0, also those that a program allows to be started
	// by their first message. It has no influence on results, only on cost.
	Eager bool
	// Part is what this process has in common with others that share the ranks among them, each with a machine of the same configuration. Nil: there
	// are none. It has no influence on results, which part 0 reports.
	Part parts.Group
	// Apart leaves the results of ranks in the reports of the parts that have them: [report.Share]. The reports of all parts are then the same but for
	// these. Otherwise part 0 has all of them, and the others have no report; so it is too if events are recorded.
	Apart bool
}

// Options are what may differ from run to run on one machine.
type Options struct {
	Faults faults.Schedule // explicit: generators are expanded before
	Seed   uint64          // of the ranks' random streams; 0 is a seed like any other
}

const (
	defaultStepLimit = 1_000_000
	maxTimeLimit     = clock.Forever
	maxWorkers       = 1 << 12
)

// Validate returns an error that lists everything wrong with the configuration, or nil.
func (c Config) Validate() error {
	var wrong, own problems.List
	wrong.Note(c.LogP.Validate())
	wrong.Note(c.Disk.Validate())
	network := c.checkNetwork(&own)
	wrong.Note(network)
	if c.Jitter != nil {
		wrong.Note(c.Jitter.Validate())
	}
	if c.Noise != nil {
		wrong.Note(c.Noise.Validate())
	}
	problems.Range(&own, "workers", c.Workers, 0, maxWorkers, "")
	problems.Range(&own, "step limit", c.StepLimit, 0, math.MaxInt32-1, "calls")
	problems.Range(&own, "time limit", c.TimeLimit, 0, maxTimeLimit, "ticks")
	if network == nil { // the shortest delay depends on it
		c.Detection.check(&own, clock.Lookahead(c.LogP, c.network()))
	}
	wrong.In("emu", own)
	return wrong.Err("")
}

// withDefaults fills in what the user left at zero.
func (c Config) withDefaults() Config {
	c.Network = c.network()
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.StepLimit == 0 {
		c.StepLimit = defaultStepLimit
	}
	if c.TimeLimit == 0 {
		c.TimeLimit = maxTimeLimit
	}
	return c
}

// processes is how many share the ranks.
func (c Config) processes() int {
	if c.Part == nil {
		return 1
	}
	return c.Part.Count()
}

// network is how long messages are under way.
func (c Config) network() clock.Network {
	if c.Network == nil {
		return clock.Uniform(c.Latency)
	}
	return c.Network
}
