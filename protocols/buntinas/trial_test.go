package buntinas_test

import (
	"context"
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/report"
)

// news is what is broadcast: it has all that a message can have.
var news = mailbox.Message{A: -7, Payload: "news"}

// paper is the machine of Corrected Gossip, figure 7, with that many ranks.
func paper(ranks int) clock.LogP { return clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1} }

// trial runs one broadcast on one machine, with one schedule after the other.
type trial struct {
	logp     clock.LogP
	detector emu.Detection
	options  buntinas.Options
	message  mailbox.Message
	trace    emu.TraceLevel
	atOnce   int                                 // how many calls a rank may make at an instant; 0: very many
	wrap     func(protocols.Proc) protocols.Proc // optional

	broadcast *buntinas.Broadcast
	machine   *emu.Machine
	report    report.Report

	results  []buntinas.Result // by rank; zero if it did not return
	coloured []int             // how often each rank was
	complete clock.Time        // as the root tells, or clock.Never
	attempts int
}

// start makes broadcast and machine. The machine has one worker: tests run side by side.
func (b *trial) start(t require.TestingT) *trial {
	if b.detector.Delay == 0 {
		b.detector.Delay = b.logp.Delivery()
	}
	b.options.DetectorDelay = b.detector.Delay + b.detector.Spread
	var err error
	b.broadcast, err = buntinas.New(b.logp, b.options)
	require.NoError(t, err)
	b.machine, err = emu.New(emu.Config{LogP: b.logp, Detection: b.detector, Workers: 1, Trace: b.trace, StepLimit: b.atOnce})
	require.NoError(t, err)
	b.forget()
	return b
}

// limit is far later than any attempt can begin in a run that does not go on for ever, with up
// to 100 failures.
func (b *trial) limit() clock.Time {
	attempt := buntinas.Longest(b.logp, b.options.DetectorDelay, 4*b.logp.Ranks+100)
	return attempt.Times(4*min(b.logp.Ranks, 100)) + 4*b.options.Linger
}

// limited is a rank that does not go on for ever.
type limited struct {
	protocols.Proc
	until    clock.Time
	coloured *int // how often it was
}

// Step panics after the limit.
func (l limited) Step(name string) {
	if l.Now() > l.until {
		panic(fmt.Sprintf("step %s at t=%d, limit %d", name, l.Now(), l.until))
	}
	if name == buntinas.StepColoured {
		*l.coloured++
	}
	l.Proc.Step(name)
}

// on is a trial of the paper's machine.
func on(t require.TestingT, ranks int) *trial { return (&trial{logp: paper(ranks)}).start(t) }

// forget makes the trial ready for the next run.
func (b *trial) forget() {
	b.results, b.coloured = make([]buntinas.Result, b.logp.Ranks), make([]int, b.logp.Ranks)
	b.complete, b.attempts = clock.Never, 0
}

// program is the broadcast, which leaves its results in the trial.
func (b *trial) program() protocols.Program {
	program := b.broadcast.Program(b.message, nil)
	program.Main = func(p protocols.Proc) {
		d := limited{p, b.limit(), &b.coloured[p.Rank()]}
		if p = d; b.wrap != nil {
			p = b.wrap(d)
		}
		msg := mailbox.Message{A: 666, Payload: "not the root's"}
		if p.Rank() == b.options.Root {
			msg = b.message
		}
		result := b.broadcast.Run(p, msg)
		b.results[p.Rank()] = result
		if p.Rank() == b.options.Root {
			b.complete, b.attempts = result.Complete, result.Attempts
		}
	}
	return program
}

// run makes one run.
func (b *trial) run(t require.TestingT, schedule faults.Schedule) *report.Report {
	b.forget()
	err := b.machine.RunInto(context.Background(), b.program(), emu.Options{Faults: schedule}, &b.report)
	if err != nil { // require costs more than a run
		require.NoError(t, err, "%v", b)
	}
	return &b.report
}

// play is run, with a schedule as text.
func (b *trial) play(t require.TestingT, schedule string) *report.Report {
	return b.run(t, faults.MustParse(schedule))
}

func (b *trial) String() string {
	return fmt.Sprintf("%+v, detector %+v, root %d, linger %d, faults %v", b.logp, b.detector, b.options.Root, b.options.Linger, b.report.Faults)
}

// broken says which promise of the package a run has broken, or "".
func (b *trial) broken() string {
	roots := guarantee.Run{Report: &b.report, Roots: []int{b.options.Root}}
	verdicts := guarantee.OnlyBroken(guarantee.Check(roots, guarantee.Integrity{}, guarantee.OnlyColouredRanksSend{}, guarantee.NoDuplicates{}))
	if len(verdicts) > 0 {
		return verdicts[0].Name + ": " + verdicts[0].Evidence
	}
	if _, failed := roots.FailedRoot(); failed {
		return b.endless()
	}
	switch {
	case len(b.report.Unreached) > 0:
		return guarantee.ListRanks(b.report.Unreached) + " never reached"
	case len(b.report.Deadlocks) > 0:
		return b.report.Deadlocks[0].String()
	case b.complete == clock.Never:
		return "the root does not know that it is complete"
	case b.attempts > 1+b.failuresUntilComplete():
		return fmt.Sprintf("%d attempts for %d failures", b.attempts, b.failuresUntilComplete())
	}
	return b.unlike()
}

// endless says which rank has the message and waits for ever.
func (b *trial) endless() string {
	for _, d := range b.report.Deadlocks {
		if b.coloured[d.Rank] > 0 {
			return d.String()
		}
	}
	return ""
}

// failuresUntilComplete is how many ranks failed in the course of the broadcast.
func (b *trial) failuresUntilComplete() (count int) {
	for _, f := range b.report.Failed {
		if f.Time > 0 && f.Time <= b.complete {
			count++
		}
	}
	return count
}

// unlike says which rank has not delivered, just once and in time, what the root has sent.
func (b *trial) unlike() string {
	want := b.message
	want.Kind, want.Epoch = buntinas.Down, b.options.Epoch
	for rank, r := range b.report.Ranks {
		got := b.results[rank]
		switch {
		case r.Outcome != report.Finished:
		case got.Message != want:
			return fmt.Sprintf("rank %d has got %+v", rank, got.Message)
		case b.coloured[rank] != 1:
			return fmt.Sprintf("rank %d has got it %d times", rank, b.coloured[rank])
		case got.At > b.complete:
			return fmt.Sprintf("rank %d has got it at t=%d, after all have", rank, got.At)
		case got.At != r.Coloured:
			return fmt.Sprintf("rank %d has got it at t=%d, and says t=%d", rank, r.Coloured, got.At)
		case rank != b.options.Root && got.Complete != clock.Never:
			return fmt.Sprintf("rank %d, which is not the root, returns %+v", rank, got)
		}
	}
	return ""
}

// check fails the test if a promise is broken.
func (b *trial) check(t require.TestingT) {
	if problem := b.broken(); problem != "" { // require costs more than a run
		require.Fail(t, problem, "%v", b)
	}
}

// steps counts how often each step was passed.
func (b *trial) steps() map[string]int {
	passed := make(map[string]int)
	for _, e := range b.report.Events {
		if e.Kind == report.EventStep {
			passed[e.Step]++
		}
	}
	return passed
}
