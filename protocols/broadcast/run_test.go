package broadcast_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// lab runs broadcasts, and uses a machine again for the next run of the same size.
type lab struct {
	t        testing.TB
	machines map[clock.LogP]*emu.Machine
}

func newLab(t testing.TB) *lab { return &lab{t, make(map[clock.LogP]*emu.Machine)} }

// run runs a program.
func (l *lab) run(logp clock.LogP, program protocols.Program, schedule faults.Schedule) *report.Report {
	l.t.Helper()
	if l.machines[logp] == nil {
		trace := emu.TraceEvents
		if logp.Ranks > 1024 {
			trace = emu.TraceHash
		}
		machine, err := emu.New(emu.Config{LogP: logp, Trace: trace})
		require.NoError(l.t, err)
		l.machines[logp] = machine
	}
	rep, err := l.machines[logp].Run(context.Background(), program, emu.Options{Faults: schedule})
	require.NoError(l.t, err)
	return rep
}

// broadcast runs one broadcast.
func (l *lab) broadcast(logp clock.LogP, o broadcast.Options, schedule faults.Schedule) *report.Report {
	l.t.Helper()
	return l.run(logp, l.make(logp, o).Program(mailbox.Message{A: 42}), schedule)
}

func (l *lab) make(logp clock.LogP, o broadcast.Options) *broadcast.Broadcast {
	l.t.Helper()
	b, err := broadcast.New(logp, o)
	require.NoError(l.t, err)
	return b
}

// checkedOn is the synchronized checked broadcast.
func checkedOn(t tree.Tree) broadcast.Options {
	return broadcast.Options{Tree: t, Correction: correction.Checked{}}
}

// must is for constructors whose arguments are right.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// forest is one tree of every shape and numbering.
func forest(logp clock.LogP) []tree.Tree {
	var all []tree.Tree
	for _, n := range tree.Numberings() {
		all = append(all,
			must(tree.NewBinomial(logp.Ranks, n)),
			must(tree.NewKary(logp.Ranks, 2, n)), must(tree.NewKary(logp.Ranks, 4, n)),
			must(tree.NewLame(logp.Ranks, 2, n)), must(tree.NewLame(logp.Ranks, 3, n)),
			must(tree.NewOptimal(logp, n)))
	}
	return all
}

// arrangements are all ways in which tree and correction go together.
func arrangements(c correction.Correction) []broadcast.Options {
	var all []broadcast.Options
	for _, chain := range []bool{false, true} {
		all = append(all,
			broadcast.Options{Correction: c, Chain: chain},
			broadcast.Options{Correction: c, Chain: chain, Overlapped: true},
			broadcast.Options{Correction: c, Chain: chain, Overlapped: true, EarlyRest: true})
	}
	return all
}

// describe names options in a failure.
func describe(logp clock.LogP, o broadcast.Options, schedule faults.Schedule) string {
	return fmt.Sprintf("%+v %v %v root %d chain=%t overlapped=%t rest=%t faults %v",
		logp, o.Tree, o.Correction, o.Tree.Root(), o.Chain, o.Overlapped, o.EarlyRest, schedule)
}

// down lets ranks fail before the broadcast.
func down(ranks ...int) faults.Schedule {
	var s faults.Schedule
	for _, rank := range ranks {
		s = append(s, faults.Fault{Kind: faults.Crash, Rank: rank})
	}
	return s
}

// cost is what one broadcast costs.
type cost struct {
	messages              int64
	colouring, quiescence clock.Time
	unreached             int
}

func costOf(r *report.Report) cost {
	return cost{r.Messages, r.Colouring, r.Quiescence, len(r.Unreached)}
}

// sends lists whom a rank sent to, in order.
func sends(rep *report.Report, rank int) []int {
	var targets []int
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Rank == rank {
			targets = append(targets, e.Peer)
		}
	}
	return targets
}
