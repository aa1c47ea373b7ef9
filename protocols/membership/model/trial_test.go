package model_test

import (
	"context"
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
	"github.com/mangrove-emu/mangrove/report"
)

// trial is a service on one machine, and what came of it.
type trial struct {
	logp    clock.LogP
	network clock.Network // nil: uniform
	options membership.Options
	faults  faults.Schedule

	service *membership.Service
	report  *report.Report
}

// alone makes the failure of one rank the only thing that happens: one other asks it once.
func (x *trial) alone(failed, questioner int) *trial {
	x.options.Questions = []membership.Question{{At: 5, From: questioner, To: failed}}
	x.faults = append(x.faults, faults.Fault{Kind: faults.Crash, Rank: failed})
	return x
}

// run runs the service. Ranks wait long enough for whatever the network does in these tests, and
// the service goes on until nothing more happens.
func (x *trial) run(t require.TestingT) *trial {
	bytes := x.logp.Costs().Stretch(8 * x.logp.Ranks)
	x.options.Delivery = x.logp.Delivery() + bytes + longest(x.network)
	x.options.Spacing = x.logp.Costs().Spacing + bytes
	if x.options.Until == 0 {
		x.options.Until = 1_000_000
	}
	var err error
	x.service, err = membership.New(x.logp.Ranks, x.options)
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: x.logp, Network: x.network, Trace: emu.TraceEvents, Workers: 1})
	require.NoError(t, err)
	x.report, err = machine.Run(context.Background(), x.service.Program(), emu.Options{Faults: x.faults})
	require.NoError(t, err)
	return x
}

// longest is more than a message is under way.
func longest(network clock.Network) clock.Time {
	switch n := network.(type) {
	case clock.Bounded:
		return n.MaxLatency()
	case clock.Switch:
		return n.Burst(500)
	}
	return 0
}

// last is the last view change that a rank has led.
func (x *trial) last(rank int) membership.Led {
	all := x.service.Records()[rank].Led
	return all[len(all)-1]
}

// view is what a rank holds.
func (x *trial) view(rank int) membership.View {
	return membership.View{Group: x.service.Group(), Changes: x.service.Records()[rank].View}
}

// root leads the only view change of a trial.
func (x *trial) root(t require.TestingT) int {
	root := -1
	for rank, r := range x.service.Records() {
		if len(r.Led) > 0 {
			require.Equal(t, -1, root, "one root, %v", x)
			require.Len(t, r.Led, 1, "%v", x)
			root = rank
		}
	}
	require.NotEqual(t, -1, root, "somebody leads, %v", x)
	return root
}

// items are those of a root's last change, which add up to all of its time.
func (x *trial) items(t require.TestingT, root int) model.Items {
	items, err := model.Itemise(x.service.Records(), root, x.logp, x.network)
	require.NoError(t, err, "%v", x)
	last := x.last(root)
	require.Equal(t, last.At-last.Began, items.Total(), "%+v, %v", items, x)
	return items
}

func (x *trial) String() string {
	return fmt.Sprintf("%+v, %v, %+v, faults %v", x.logp, x.network, x.options, x.faults)
}
