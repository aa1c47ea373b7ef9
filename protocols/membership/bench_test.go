package membership_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/benchmark"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
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
	benchmark.Cold(b, func() *report.Report {
		machine := benchmark.NewMachine(b, ranks)
		service := serviceWithAQuestion(b, ranks)
		rep, err := machine.Run(b.Context(), service.Program(), emu.Options{Faults: faults.MustParse("crash:3")})
		require.NoError(b, err)
		stable := service.Records()[0].Led
		require.Len(b, stable, 1)
		require.True(b, stable[0].Stable)
		return rep
	})
}

// serviceWithAQuestion is one in which the last rank asks whether rank 3 is there, and so finds that it has failed.
func serviceWithAQuestion(b *testing.B, ranks int) *membership.Service {
	logp := benchmark.LogP(ranks)
	service, err := membership.New(ranks, membership.Options{
		Children: 2, Delivery: logp.Delivery(), Spacing: logp.Overhead, Compute: 2, Until: 1000,
		Questions: []membership.Question{{From: ranks - 1, To: 3}},
	})
	require.NoError(b, err)
	return service
}
