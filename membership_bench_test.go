package mangrove

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// BenchmarkMembership measures a view change of the membership service: a rank fails, another
// finds that, and all agree on a new view. Making the machine and the end of the service are
// included. B/rank must not grow with the number of ranks: views are shared.
func BenchmarkMembership(b *testing.B) {
	for _, ranks := range []int{1 << 12, 1 << 15, 1 << 17} {
		b.Run(fmt.Sprintf("a=2/P=%d/cold", ranks), func(b *testing.B) { membershipCold(b, ranks) })
	}
}

func membershipCold(b *testing.B, ranks int) {
	var peak, messages, wakes int64
	for b.Loop() {
		b.StopTimer()
		debug.FreeOSMemory()
		before := resetPeak(b)
		b.StartTimer()
		machine, service := makeMembership(b, ranks)
		report, err := machine.Run(b.Context(), service.Program(), emu.Options{Faults: faults.MustParse("crash:3")})
		require.NoError(b, err)
		b.StopTimer()
		stable := service.Records()[0].Stable
		require.Len(b, stable, 1)
		require.True(b, stable[0].Clean)
		peak = max(peak, peakMemory(b)-before)
		messages, wakes = report.Messages, report.Wakes
		b.StartTimer()
	}
	reportRates(b, ranks, messages, wakes)
	b.ReportMetric(float64(peak)/float64(ranks), "B/rank")
}

func makeMembership(b *testing.B, ranks int) (*emu.Machine, *membership.Service) {
	logp := machineOf(ranks)
	machine, err := emu.New(emu.Config{LogP: logp})
	require.NoError(b, err)
	service, err := membership.New(ranks, membership.Options{
		Children: 2, Delivery: logp.Delivery(), Spacing: logp.Overhead, Compute: 2, Until: 1000,
		Questions: []membership.Question{{From: ranks - 1, To: 3}},
	})
	require.NoError(b, err)
	return machine, service
}
