package beside

import (
	"errors"
	"fmt"
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Engine is a library that has operations of its own.
type Engine interface {
	// Library is its name, with a version.
	Library() string
	// Prepare is for one call of an operation by its name, with so many bytes from process to process. All processes call do at about the same time, which
	// returns when the library does; wrong says what is wrong with the result, if anything is. Results of different marks differ.
	Prepare(operation string, root, bytes int, mark byte) (do func() error, wrong func() string, err error)
}

// Operation is what a line has beside it.
type Operation struct {
	catalog.Counterpart
	Library   string
	Processes int
}

// Native is the counterpart of a line as a run on so many processes, which is begun as often and as far apart.
func Native(engine Engine, ours *scenarios.Run, processes int) (*scenarios.Run, Operation, error) {
	counterpart, ok := catalog.CounterpartOf(ours)
	if !ok {
		return nil, Operation{}, fmt.Errorf("%s: no MPI library has an operation that does this", ours.Protocol().Name)
	}
	if ours.Config().Ranks != processes {
		counterpart.Root = 0 // processes are not ranks then
	}
	n := &native{engine: engine, Counterpart: counterpart, repeat: 1, ranks: processes, lead: leadFor(counterpart, processes)}
	if err := n.repeatLike(ours.Settings()); err != nil {
		return nil, Operation{}, err
	}
	protocol := scenarios.Protocol{Name: "native", Build: n.build}
	run, err := protocol.ParseLine(fmt.Sprintf("native P=%d tick=%dns", processes, tick))
	return run, Operation{counterpart, engine.Library(), processes}, err
}

// tick is how well the library's operations are measured, in nanoseconds: clocks are not better.
const tick = 100

// leadFor is how long processes have before the first call to make what goes through it, all of them on one processor: that is no part of the operation.
func leadFor(c catalog.Counterpart, processes int) clock.Time {
	blocks := 2 * processes
	if c.Operation == "Alltoall" || c.Operation == "Allgather" {
		blocks *= processes
	}
	return clock.Time(10*time.Millisecond+time.Duration(blocks)*time.Duration(c.Bytes)*perByte) / tick
}

// perByte is what it takes to make a byte, memory for it included, on a slow machine.
const perByte = 2 * time.Nanosecond

// repeatLike has as many calls as a series of ours.
func (n *native) repeatLike(s line.Settings) error {
	text, ok := s.Lookup("repeat")
	if !ok || text == "1" {
		return nil
	}
	if s.Text("period") == "auto" {
		return errors.New("a series beside the library's own: want period=..., so that both begin equally often")
	}
	n.repeat, n.period = s.Int("repeat"), s.Ticks("period").Times(int(s.Unit()))/tick
	return nil
}

// native is calls of an operation, one after the other.
type native struct {
	engine Engine
	catalog.Counterpart
	repeat int
	period clock.Time
	ranks  int
	lead   clock.Time // when the first call begins

	left []notes
}

// notes are what a rank leaves behind.
type notes struct {
	Begin, End []clock.Time
	Wrong      string // about the first result that was wrong; "" if none was
}

func (n *native) build(line.Settings) (scenarios.Experiment, error) {
	return scenarios.Experiment{
		Program:   protocols.Program{Main: n.run},
		Timing:    scenarios.Timing{Assumes: scenarios.NoLatency, Untimed: true},
		Reduction: true,
		State: scenarios.PerRank[notes]{
			Ranks:  n.ranks,
			Forget: func() { n.left = make([]notes, n.ranks) },
			Left:   func(rank int) *notes { return &n.left[rank] },
			Take:   n.take,
		},
		Promises: []guarantee.Guarantee{guarantee.Func("every result is right", false, n.right)},
		Measures: scenarios.Measures{Latencies: n.latencies},
	}, nil
}

// oneBegins reports whether one rank begins, and others wait for what comes of that. Otherwise all begin at the same time.
func (n *native) oneBegins() bool { return n.Operation == "Bcast" || n.Operation == "Scatter" }

// run is what each rank does. Those that nobody waits for call the library before there is anything to get, as ranks of ours wait for a message.
func (n *native) run(p protocols.Proc) {
	left := &n.left[p.Rank()]
	left.Begin, left.End = make([]clock.Time, n.repeat), make([]clock.Time, n.repeat)
	for i := range n.repeat {
		do, wrong, err := n.engine.Prepare(n.Operation, n.Root, n.Bytes, byte(i))
		if err == nil {
			if !n.oneBegins() || p.Rank() == n.Root {
				p.WaitUntil(n.lead + n.period.Times(i))
			}
			left.Begin[i] = p.Now()
			err = do()
			left.End[i] = p.Now()
		}
		if err != nil {
			left.Wrong = err.Error()
			return
		}
		if problem := wrong(); problem != "" && left.Wrong == "" {
			left.Wrong = problem
		}
	}
}

// take takes over the notes of a rank.
func (n *native) take(rank int, left *notes) error {
	if len(left.Begin) != n.repeat || len(left.End) != n.repeat {
		return fmt.Errorf("%d beginnings and %d ends, want %d", len(left.Begin), len(left.End), n.repeat)
	}
	n.left[rank] = *left
	return nil
}

// right holds if no rank has found anything wrong, and none has done too little.
func (n *native) right(guarantee.Run) (held bool, evidence string) {
	for rank, left := range n.left {
		if left.Wrong != "" {
			return false, fmt.Sprintf("rank %d: %s", rank, left.Wrong)
		}
		if len(left.End) != n.repeat {
			return false, fmt.Sprintf("rank %d has finished %d of %d calls", rank, len(left.End), n.repeat)
		}
	}
	return true, fmt.Sprintf("%d of MPI_%s", n.repeat, n.Operation)
}

// latencies are those of all calls: until the last rank is done, from when the root begins in a series of one root, and else from when it is to begin, as those of
// ours are.
func (n *native) latencies(*report.Report) (all []float64) {
	for i := range n.repeat {
		begin, end := n.lead+n.period.Times(i), clock.Time(0)
		for rank, left := range n.left {
			if len(left.End) != n.repeat {
				return nil
			}
			if n.oneBegins() && n.repeat > 1 && rank == n.Root {
				begin = left.Begin[i]
			}
			end = max(end, left.End[i])
		}
		all = append(all, float64(end-begin))
	}
	return all
}
