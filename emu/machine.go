package emu

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/internal/cells"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/hugepages"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Machine runs programs. It serves any number of runs, one at a time, and keeps its
// memory from one to the next.
type Machine struct {
	cfg       Config
	block     parts.Block // the ranks of this part, all if there is but one
	costs     clock.Costs
	nodes     *clock.Nodes // that ranks share, else nil
	inside    clock.Costs  // of messages inside a node
	overhead  clock.Time   // the smallest of these
	uniform   clock.Time   // the latency of a uniform network, else 0
	least     clock.Time   // the smallest latency of the network
	lookahead clock.Time
	shift     int // a unit is 2^shift words of 64 ranks

	store      *cells.Store
	ranks      []rank
	locations  []location   // where parked ranks lie in memory
	wakeAt     []clock.Time // when each rank needs attention for another reason than mail
	later      []later      // what else needs attention, by words
	wordMin    []clock.Time // when the first rank of each word needs attention
	unitMin    []clock.Time // the earliest wordMin of each unit
	chains     [2]chains    // in and out, by turns
	workers    []worker
	ballast    []byte
	before     memory // what the process used before the machine was made
	detector   detectorState
	bottleneck *bottleneck // of a contended network, else nil
	reserved   uint8       // how many cells ranks keep for what they send
	abroad     *abroad     // what there is to exchange with other parts, nil if there are none
	random     streams

	running atomic.Bool
	keep    atomic.Bool // goroutines rest between runs

	// The rest belongs to one run.
	program  protocols.Program
	seed     uint64
	tracing  bool
	deciding bool     // what programs decide by time is on the record, too
	hashes   []uint64 // of each rank's events, if traced
	schedule faults.Schedule
	rejoins  rejoins
	ways     ways
	results  []report.RankResult
	over     clock.Time // when nothing happened any more, if there are faults
	// deadlocked says that ranks of this part still waited when nothing happened any more.
	deadlocked bool
	stopping   *atomic.Bool
	// lingering says that some rank has lingered.
	lingering atomic.Bool
	failure   failure

	// The rest belongs to one window, and changes at barriers only.
	in, out *chains    // mail to be received in this window; mail sent in it
	end     clock.Time // the window's end
	horizon clock.Time // arrivals before this instant are all known
	due     []int32    // units with something to do, ascending
	windows int64
	helpers helpers
}

// New builds a machine.
func New(cfg Config) (*Machine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	if err := checkShare(cfg.Ranks, cfg.processes()); err != nil {
		return nil, fmt.Errorf("emu: %w", err)
	}
	m := &Machine{
		cfg:       cfg,
		costs:     cfg.Costs(),
		least:     cfg.Network.MinLatency(),
		lookahead: clock.Lookahead(cfg.LogP, cfg.Network),
		store:     cells.NewStore(),
		tracing:   cfg.Trace != TraceOff,
		deciding:  cfg.Trace == TraceDecisions,
	}
	if u, ok := cfg.Network.(clock.Uniform); ok {
		m.uniform = clock.Time(u)
	}
	if n, ok := cfg.Network.(clock.Nodes); ok {
		m.nodes, m.inside = &n, clock.CostsBetween(cfg.LogP, n, 0, 0)
	}
	m.block, m.abroad = shareOf(&cfg)
	if m.reserved = cells.MaxReserve; m.abroad != nil {
		m.reserved = reservedAbroad
	}
	m.overhead, _ = clock.Overheads(cfg.LogP, cfg.Network)
	prepareProcess(m.block.Len)
	m.before = memoryInUse()
	m.prepareHeap() // before there is anything large that its collection would read
	m.layOut(m.block.Len)
	if m.tracing {
		m.hashes = make([]uint64, m.block.Len)
	}
	m.random.size = m.block.Len
	m.makeWorkers(cfg.Workers)
	m.bottleneck = newBottleneck(cfg.Network)
	m.detector = newDetectorState(cfg.Detection, cfg.Ranks, m.block.Len)
	return m, nil
}

// layOut makes everything whose size follows from the number of ranks.
func (m *Machine) layOut(ranks int) {
	words := max(1, (ranks+63)/64)
	m.shift = unitShift(words, m.cfg.Workers)
	units := (words + 1<<m.shift - 1) >> m.shift
	m.ranks = make([]rank, ranks)
	m.locations = make([]location, ranks)
	m.wakeAt = make([]clock.Time, words*64)
	hugepages.Advise(m.ranks)
	hugepages.Advise(m.locations)
	hugepages.Advise(m.wakeAt)
	m.wordMin = make([]clock.Time, units<<m.shift)
	m.later = make([]later, words)
	m.unitMin = make([]clock.Time, units)
	for i := range m.chains {
		m.chains[i] = newChains(ranks, words, units, m.shift)
	}
}

// unitShift chooses how many words of 64 ranks a worker takes on at once: few enough
// that all workers find something to do, at most 64.
func unitShift(words, workers int) int {
	shift := 0
	for shift < 6 && words>>shift > 8*workers {
		shift++
	}
	return shift
}

// Config returns the machine's configuration with all defaults filled in.
func (m *Machine) Config() Config { return m.cfg }

// Run runs the program on all ranks and reports how it went. A deadlock is part of the
// report. The error is not nil if the program panicked or went on without end (see
// [PanicError], [StepLimitError], [TimeLimitError]), if ctx was cancelled, or if an
// argument is invalid; there is no report then.
func (m *Machine) Run(ctx context.Context, program protocols.Program, opts Options) (*report.Report, error) {
	rep := new(report.Report)
	if err := m.RunInto(ctx, program, opts, rep); err != nil {
		return nil, err
	}
	return rep, nil
}

// RunInto is Run for campaigns: it reuses the memory of an earlier report.
func (m *Machine) RunInto(ctx context.Context, program protocols.Program, opts Options, rep *report.Report) error {
	if err := m.check(program, opts); err != nil {
		return err
	}
	if !m.running.CompareAndSwap(false, true) {
		return errors.New("emu: the machine is in use by another run")
	}
	defer m.running.Store(false)
	began := time.Now()
	m.prepare(program, opts, rep)
	// A flag of this run's own: a cancellation that comes late must not hit the next run.
	stopping := new(atomic.Bool)
	stopping.Store(ctx.Err() != nil)
	m.stopping = stopping
	disarm := context.AfterFunc(ctx, func() { stopping.Store(true) })
	defer disarm()

	m.helpers.start(m.workers)
	err := m.advance(ctx)
	if err == nil {
		m.finishLingering()
		err = m.report(rep, opts)
	}
	if err != nil || m.deadlocked || m.lingering.Load() {
		m.endGoroutines(func(r *rank) bool { return r.state == alive || r.lingered() })
	}
	if err == nil {
		err = m.lastFailure()
	}
	m.helpers.stop()
	rep.Wall = time.Since(began)
	return err
}

// check validates what a run is given.
func (m *Machine) check(program protocols.Program, opts Options) error {
	if program.Main == nil {
		return errors.New("emu: the program has no Main")
	}
	for _, r := range program.Initiators {
		if r < 0 || r >= m.cfg.Ranks {
			return fmt.Errorf("emu: initiator %d, want 0 to %d", r, m.cfg.Ranks-1)
		}
	}
	if !opts.Faults.Explicit() {
		return fmt.Errorf("emu: fault schedule %q draws ranks at random; use Schedule.Expand first", opts.Faults)
	}
	return opts.Faults.Validate(m.cfg.Ranks)
}

// prepare brings the machine to time 0 of a new run.
func (m *Machine) prepare(program protocols.Program, opts Options, rep *report.Report) {
	m.program, m.seed = program, opts.Seed
	m.random.run++
	m.failure = failure{}
	m.lingering.Store(false)
	m.windows, m.end, m.deadlocked = 0, 0, false
	reset(rep, m.reported())
	m.results = rep.Ranks[:m.block.Len]
	m.store.Clear()
	for i := range m.workers {
		m.workers[i].reset()
	}
	for i := range m.chains {
		m.chains[i].clear()
	}
	m.in, m.out = &m.chains[0], &m.chains[1]
	clear(m.hashes)
	m.detector.reset()
	m.bottleneck.reset()
	m.abroad.reset()
	m.resetRanks()
	m.startInitiators()
	m.arm(opts.Faults)
	m.refreshMins()
}

// resetRanks forgets the last run.
func (m *Machine) resetRanks() {
	m.share(func(_, lo, hi int) { m.resetRange(lo, hi) })
	for i := len(m.ranks); i < len(m.wakeAt); i++ {
		m.wakeAt[i] = clock.Never
	}
	for i := range m.later {
		m.later[i] = later{first: clock.Never}
	}
}

// share splits the ranks among the workers and has them do their parts at once. Small
// machines are not worth the trouble.
func (m *Machine) share(do func(worker, lo, hi int)) {
	if len(m.ranks) == 0 {
		return // there are more parts than ranks
	}
	part := (len(m.ranks) + len(m.workers) - 1) / len(m.workers)
	if len(m.ranks) < largeMachine {
		part = len(m.ranks)
	}
	var wait sync.WaitGroup
	for worker := 0; (worker+1)*part < len(m.ranks); worker++ {
		wait.Go(func() { do(worker, worker*part, (worker+1)*part) })
	}
	last := (len(m.ranks) - 1) / part
	do(last, last*part, len(m.ranks))
	wait.Wait()
}

func (m *Machine) resetRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		r := &m.ranks[i]
		*r = rank{m: m, id: int32(m.block.First + i), box: r.box, resting: r.resting, stopAt: unreceived}
		m.wakeAt[i] = clock.Never
		m.results[i] = report.RankResult{Coloured: clock.Never, Exit: clock.Never}
	}
}

// startInitiators lets those ranks act at time 0 that may.
func (m *Machine) startInitiators() {
	all := m.program.Initiators == nil
	for i := range m.ranks {
		if !all && !m.cfg.Eager {
			break
		}
		m.wakeAt[i] = 0
		if all {
			m.ranks[i].stopAt = clock.Never
		}
	}
	for _, i := range m.program.Initiators {
		if r := m.own(i); r != nil {
			m.wakeAt[r.place()] = 0
			r.stopAt = clock.Never
			m.results[r.place()].Coloured = 0
		}
	}
}

// refreshMins computes all minima from scratch.
func (m *Machine) refreshMins() {
	for i := range m.wordMin {
		m.wordMin[i] = clock.Never
		if i*64 < len(m.wakeAt) {
			m.refreshWord(i)
		}
	}
	for i := range m.unitMin {
		m.refreshUnit(i)
	}
}
