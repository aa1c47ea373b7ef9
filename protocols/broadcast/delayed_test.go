package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// With the usual delay and no failure, every rank sends one correction message; with a
// shorter one it sends more. Both reach everybody.
func TestDelayedCorrectionSendsOneMessageEach(t *testing.T) {
	lab := newLab(t)
	for _, logp := range []clock.LogP{
		{Ranks: 2, Latency: 2, Overhead: 1}, {Ranks: 50, Latency: 2, Overhead: 1}, {Ranks: 33, Latency: 1, Overhead: 3},
		{Ranks: 33, Latency: 4, Overhead: 1, Gap: 3},
	} {
		o := broadcast.Options{Tree: tree.Binomial{Ranks: logp.Ranks}}
		usual := correction.UsualDelay(logp)
		o.Correction = correction.NewDelayed(logp, usual)
		report := lab.broadcast(logp, o, nil)
		require.EqualValues(t, 2*logp.Ranks-1, report.Messages, "%+v", logp)
		require.Empty(t, report.Deadlocks)
		o.Correction = correction.NewDelayed(logp, usual-1)
		report = lab.broadcast(logp, o, nil)
		require.Greater(t, report.Messages, int64(2*logp.Ranks-1), "%+v", logp)
	}
}

// Rank 5 and 6 are down: 4 waits in vain, sends to 5, 6 and 7, and 7 answers.
func TestDelayedCorrectionSearchesToTheRight(t *testing.T) {
	logp := clock.LogP{Ranks: 40, Latency: 2, Overhead: 1}
	o := broadcast.Options{Tree: star(40), Correction: correction.NewDelayed(logp, correction.UsualDelay(logp))}
	report := newLab(t).broadcast(logp, o, down(5, 6))
	require.Equal(t, []int{3}, sends(report, 4)[:1])
	require.Subset(t, sends(report, 4), []int{5, 6, 7})
	require.Equal(t, []int{6, 4}, sends(report, 7))
	require.Equal(t, []int{2}, sends(report, 3))
	require.Less(t, report.Ranks[7].Exit, report.Ranks[8].Exit, "7 has been found; 8 waits until nobody can look for it any more")
}
