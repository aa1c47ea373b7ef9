package broadcast_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
)

// Overlapped broadcasts in a row, of any trees and roots and without pause, whoever is down or
// slow: every live rank gets every message, in order, and none for another.
func TestBroadcastsInARowAreToldApart(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 30)
		c := anyReliable(t, logp)
		first := rapid.Uint32Range(0, 3).Draw(t, "first epoch")
		var all []*broadcast.Broadcast
		roots, want := make(map[int]bool), ""
		for i := range rapid.IntRange(1, 8).Draw(t, "broadcasts") {
			o := anyArrangement(t, anyTree(t, logp), c)
			o.Overlapped, o.Epoch = true, first+uint32(i)
			all = append(all, lab.make(logp, o))
			roots[o.Tree.Root()] = true
			want += fmt.Sprintf("%d by %d,", i, o.Tree.Root())
		}
		s := down(slices.DeleteFunc(draw.Some(t, "down", logp.Ranks, logp.Ranks), func(rank int) bool { return roots[rank] })...)
		s = append(s, points.Slow(t, logp.Ranks)...)
		got := make([]string, logp.Ranks)
		report := lab.run(logp, protocols.Program{Initiators: []int{all[0].Tree.Root()}, Main: func(p protocols.Proc) {
			for i, b := range all {
				m, _ := b.Run(p, mailbox.Message{Payload: fmt.Sprintf("%d by %d,", i, p.Rank())})
				got[p.Rank()] += m.Payload
			}
		}}, s)
		require.Empty(t, report.Deadlocks, "%v, faults %v", c, s)
		for rank, text := range got {
			if !report.Ranks[rank].Outcome.Failed() {
				require.Equal(t, want, text, "rank %d: %v, faults %v", rank, c, s)
			}
		}
	})
}

// A series, overlapped with any period or synchronized with one that is long enough, reaches
// every live rank every time, and nobody is late.
func TestSeriesReachesEveryLiveRankEveryTime(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 30)
		o := anyArrangement(t, anyTree(t, logp), anyReliable(t, logp))
		b := lab.make(logp, o)
		period := b.Longest()
		if o.Overlapped {
			period = draw.Ticks(t, "period", 0, 40)
		}
		count := rapid.IntRange(1, 6).Draw(t, "count")
		dead := anyDown(t, o.Tree, logp.Ranks)
		coloured, late := make([]int, count*logp.Ranks), make([]int, count*logp.Ranks)
		series := must(broadcast.NewSeries(b, count, period))
		lab.run(logp, series.Program(mailbox.Message{}, broadcast.Watch{
			Coloured: func(i, rank int, _ clock.Time) { coloured[i*logp.Ranks+rank]++ },
			Late:     func(i, rank int, _ clock.Time) { late[i*logp.Ranks+rank]++ },
		}), dead)
		for i := range coloured {
			want := 1
			if rankSet(dead)[i%logp.Ranks] {
				want = 0
			}
			require.Equal(t, want, coloured[i], "rank %d: %s", i%logp.Ranks, describe(logp, o, dead))
			require.Zero(t, late[i], "rank %d: %s", i%logp.Ranks, describe(logp, o, dead))
		}
	})
}
