package membership_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testing is what rapid's T and the real one have in common.
type tester interface {
	require.TestingT
	Helper()
}

// papers is the machine of most tests.
func papers(ranks int) clock.LogP { return clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1} }

// usual is a service in which failures are found in time.
func usual(logp clock.LogP, children int) membership.Options {
	return membership.Options{
		Children: children, Delivery: logp.Delivery(), Spacing: logp.Costs().Spacing, Compute: 2,
		Inquiry: membership.Successor, Every: 100, Until: 5000,
	}
}

// outcome is a service that has run.
type outcome struct {
	*membership.Service
	*report.Report
}

// run runs a service under faults.
func run(t tester, logp clock.LogP, o membership.Options, schedule string) outcome {
	t.Helper()
	s, err := membership.New(logp.Ranks, o)
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := machine.Run(context.Background(), s.Program(), emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	return outcome{s, rep}
}

// hold makes sure that all guarantees do.
func (x outcome) hold(t tester) {
	t.Helper()
	for _, v := range guarantee.Check(guarantee.Run{Report: x.Report}, catalog.Views(x.Service)...) {
		require.NotEqual(t, guarantee.Broken, v.Value, "%s: %s\nfaults=%s", v.Name, v.Evidence, x.Faults)
	}
}

// view is what a rank holds at the end.
func (x outcome) view(rank int) string {
	r := x.Records()[rank]
	if !r.Member {
		return "none"
	}
	return membership.View{Group: x.Group(), Changes: r.View}.String()
}
