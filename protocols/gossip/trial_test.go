package gossip_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/report"
)

// points is where a rank may fail.
var points = draw.Points{Calls: 12, Until: 120, Steps: []string{gossip.StepColoured, gossip.StepCorrection}}

// payload is what is spread.
const payload = "news"

// trial is a gossip on a machine.
type trial struct {
	logp     clock.LogP
	gossip   *gossip.Gossip
	schedule faults.Schedule
	seed     uint64
	report   *report.Report
}

// anyTrial draws a gossip with the given correction: for a time or for rounds, with any root.
func anyTrial(t *rapid.T, logp clock.LogP, c correction.Correction) *trial {
	o := gossip.Options{
		Correction: c,
		Root:       draw.Number(t, "root", 0, logp.Ranks-1),
		Partners:   rapid.SampledFrom([]gossip.Partners{nil, gossip.Fixed}).Draw(t, "partners"),
	}
	if rapid.IntRange(0, 3).Draw(t, "pace") == 3 {
		o.Rounds = rapid.IntRange(1, 12).Draw(t, "rounds")
	} else {
		o.Until = draw.Ticks(t, "T", 0, 60)
		_, failureProof := c.(*correction.FailureProof)
		o.Sharp = !failureProof && rapid.Bool().Draw(t, "sharp")
	}
	return newTrial(t, logp, o, rapid.Uint64().Draw(t, "seed"))
}

func newTrial(t require.TestingT, logp clock.LogP, o gossip.Options, seed uint64) *trial {
	g, err := gossip.New(logp, o)
	require.NoError(t, err)
	return &trial{logp: logp, gossip: g, seed: seed}
}

func (b *trial) run(t require.TestingT, schedule faults.Schedule) *report.Report {
	machine, err := emu.New(emu.Config{LogP: b.logp, Trace: emu.TraceEvents, Workers: 1})
	require.NoError(t, err)
	b.schedule = schedule
	b.report, err = machine.Run(context.Background(), b.gossip.Program(mailbox.Message{Payload: payload}),
		emu.Options{Seed: b.seed, Faults: schedule})
	require.NoError(t, err)
	return b.report
}

func (b *trial) String() string {
	o := b.gossip.Options
	return fmt.Sprintf("%+v, root %d, T=%d, sharp %v, %d rounds, %v, seed %d, faults %v", b.logp, o.Root, o.Until, o.Sharp, o.Rounds, o.Correction, b.seed, b.schedule)
}

func (b *trial) requireHeld(t require.TestingT, guarantees ...guarantee.Guarantee) {
	run := guarantee.Run{Report: b.report, Roots: []int{b.gossip.Root}}
	require.Empty(t, guarantee.OnlyBroken(guarantee.Check(run, guarantees...)), b.String())
}

// correctionStart is when ranks correct that gossip for a time.
func (b *trial) correctionStart() clock.Time {
	if b.gossip.Sharp {
		return b.gossip.Until
	}
	return b.gossip.Until + b.logp.Latency + b.logp.Overhead
}

// gnodes are the ranks that have begun to correct.
func (b *trial) gnodes() []int {
	var all []int
	for _, e := range b.report.Events {
		if e.Kind == report.EventStep && e.Step == gossip.StepCorrection {
			all = append(all, e.Rank)
		}
	}
	return all
}

// sends counts the messages of a kind.
func (b *trial) sends(kind mailbox.Kind) int {
	n := 0
	for _, e := range b.report.Events {
		if e.Kind == report.EventSend && e.Msg == kind {
			n++
		}
	}
	return n
}

// stuck are the ranks that have received something and wait for ever.
func (b *trial) stuck() []report.Deadlock {
	return slices.DeleteFunc(slices.Clone(b.report.Deadlocks), func(d report.Deadlock) bool {
		return b.report.Ranks[d.Rank].Coloured == clock.Never
	})
}

func anyVariant(t *rapid.T, logp clock.LogP) correction.Correction {
	switch rapid.SampledFrom([]string{"gos", "ocg", "ccg", "fcg"}).Draw(t, "variant") {
	case "ocg":
		return &correction.Opportunistic{Messages: rapid.IntRange(0, 12).Draw(t, "messages")}
	case "ccg":
		return correction.Checked{RightFirst: true}
	case "fcg":
		return failureProof(t, logp, rapid.IntRange(0, 3).Draw(t, "f"))
	}
	return correction.None{}
}

func failureProof(t require.TestingT, logp clock.LogP, f int) *correction.FailureProof {
	c, err := correction.NewFailureProof(logp, f)
	require.NoError(t, err)
	c.RightFirst = true
	return c
}

// anyMachine draws a machine, some of them with many receives at once.
func anyMachine(t *rapid.T, least, most int) clock.LogP {
	logp := draw.Machine(t, least, most)
	logp.ManyReceives = rapid.Bool().Draw(t, "many receives")
	return logp
}

func crashAfterSends(rank, sends int) faults.Schedule {
	return faults.Schedule{{Kind: faults.Crash, Rank: rank, At: faults.AfterNthSend(sends)}}
}
