package correction_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/report"
)

// circle is a ring on which some ranks have the message at t=0, and correct.
type circle struct {
	machine *emu.Machine
	size    int
	has     []bool
	runner  correction.Wrapped
}

func newCircle(t *testing.T, size, f int) *circle {
	t.Helper()
	logp := clock.LogP{Ranks: size, Latency: 2, Overhead: 1}
	machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents})
	require.NoError(t, err)
	proof, err := correction.NewFailureProof(logp, f)
	require.NoError(t, err)
	runner, err := proof.On(correction.Ring{Size: size})
	require.NoError(t, err)
	return &circle{machine, size, nil, runner.(correction.Wrapped)}
}

// run lets those who have the message correct. All others wait to be reached.
func (c *circle) run(t *testing.T, schedule faults.Schedule) *report.Report {
	t.Helper()
	return c.runAs(t, schedule, func(p protocols.Proc) protocols.Proc { return p })
}

// runAs is run by ranks that differ from others.
func (c *circle) runAs(t *testing.T, schedule faults.Schedule, as func(protocols.Proc) protocols.Proc) *report.Report {
	t.Helper()
	rep, err := c.machine.Run(context.Background(), protocols.Program{Main: func(p protocols.Proc) {
		p = as(p)
		if c.has[p.Rank()] {
			c.runner.Run(p, p.Rank(), mailbox.Message{Payload: "news"})
			return
		}
		from, msg := p.Recv(mailbox.OfKinds(correction.FirstKind, correction.LastKind))
		c.runner.Reached(p, from, msg)
	}}, emu.Options{Faults: schedule})
	require.NoError(t, err)
	return rep
}

func (c *circle) String() string { return fmt.Sprintf("who has the message: %v", c.has) }

// Claims 4 and 5 of Corrected Gossip on small rings, with any ranks reached before: if up to
// f of them crash, at any time, all others are reached and know that they may leave. With
// f*f+f+1 reached before, that takes no SOS.
func TestFailureProofCorrectionOnSmallRings(t *testing.T) {
	runs := thorough.Times(20_000)
	random := rand.New(rand.NewPCG(1, 0))
	for f := 1; f <= 2; f++ {
		for size := 4; size <= 13; size++ {
			c := newCircle(t, size, f)
			for range runs / 20 {
				order := random.Perm(size)
				enough := f*f + f + 1
				reached := order[:1+random.IntN(min(size, enough+1))]
				c.has = make([]bool, size)
				for _, rank := range reached {
					c.has[rank] = true
				}
				var schedule faults.Schedule
				for _, rank := range reached[:min(len(reached)-1, random.IntN(f+1))] {
					at := faults.OnTime(clock.Time(random.IntN(30)))
					schedule = append(schedule, faults.Fault{Kind: faults.Crash, Rank: rank, At: at})
				}
				rep := c.run(t, schedule)
				require.Empty(t, rep.Deadlocks, "%v, faults %v", c, schedule)
				if len(reached) >= enough {
					require.Zero(t, distress(rep), "%v, faults %v", c, schedule)
				}
			}
		}
	}
}

func distress(rep *report.Report) int {
	n := 0
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Msg == correction.SOS {
			n++
		}
	}
	return n
}
