package membership_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/membership"
)

// early is until when failures may happen in the tests below.
const early = 600

// anyMachine draws a machine of up to so many ranks, on some of which long messages take longer.
func anyMachine(t *rapid.T, most int) clock.LogP {
	logp := draw.Machine(t, 2, most)
	logp.PerByte = draw.Ticks(t, "G", 0, 3)
	return logp
}

// anyService draws a service that finds failures in time.
func anyService(t *rapid.T, logp clock.LogP) membership.Options {
	o := usual(logp, 1<<rapid.IntRange(1, 3).Draw(t, "digits"))
	o.PerByte = logp.PerByte
	o.Compute = draw.Ticks(t, "compute", 0, 10)
	o.Every = draw.Ticks(t, "every", 50, 400)
	if logp.Ranks > 3 && rapid.Bool().Draw(t, "with joins") {
		o.Members = logp.Ranks - rapid.IntRange(1, 2).Draw(t, "joining")
		for rank := o.Members; rank < logp.Ranks; rank++ {
			o.Joins = append(o.Joins, membership.Join{At: draw.Ticks(t, "join", 0, early), Rank: rank})
		}
	}
	return o
}

// anyFailures lets some ranks fail, and some of these come back.
func anyFailures(t *rapid.T, ranks int) faults.Schedule {
	points := draw.Points{Calls: 20, Until: early, Steps: []string{"suspect", "regroup", "install", "stable", "join"}}
	s := points.Failures(t, draw.Some(t, "failures", ranks, min(4, ranks-1)))
	for _, f := range slices.Clone(s) {
		if rapid.Bool().Draw(t, "comes back") {
			s = append(s, faults.Fault{Kind: faults.Rejoin, Rank: f.Rank, At: faults.OnTime(draw.Ticks(t, "back", 1, 2*early))})
		}
	}
	return s
}

// anyPartition cuts the ranks into two parts.
func anyPartition(t *rapid.T, ranks int) faults.Schedule {
	var left, right []int
	for rank := range ranks {
		if rapid.Bool().Draw(t, "left") {
			left = append(left, rank)
		} else {
			right = append(right, rank)
		}
	}
	if left == nil || right == nil {
		return nil
	}
	return faults.Schedule{{Kind: faults.Cut, Left: faults.GroupOf(left...), Right: faults.GroupOf(right...), At: faults.OnTime(draw.Ticks(t, "cut", 0, early))}}
}

// lastsFor gives the service the time that it needs after so many changes. If that is long,
// because messages are, ranks ask less often.
func lastsFor(t tester, ranks int, o *membership.Options, changes, lost int) {
	s, err := membership.New(ranks, *o)
	if err != nil {
		t.Errorf("%v", err)
		t.FailNow()
	}
	o.Until = 2*early + s.InTurn(changes+lost)
	const rounds = 50
	if longer := o.Until / rounds; longer > o.Every {
		o.Until += (longer - o.Every).Times(changes + lost + 1)
		o.Every = longer
	}
}

// Whoever fails, whenever, alone or with others, and whoever comes: within the bound all live
// ranks hold the same view, which has all of them and nobody else. All safety properties hold
// throughout.
func TestAllLiveRanksAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 18)
		o := anyService(t, logp)
		schedule := anyFailures(t, logp.Ranks)
		lastsFor(t, logp.Ranks, &o, len(o.Joins)+2*len(schedule), 0)
		x := run(t, logp, o, schedule.String())
		x.hold(t)
		x.nobodyIsWronged(t)
	})
}

// nobodyIsWronged makes sure that no rank was taken for failed while it lived. Who comes back may
// be, for what its former life did not do.
func (x outcome) nobodyIsWronged(t tester) {
	if len(x.Rejoined) > 0 {
		return
	}
	for rank, r := range x.Records() {
		require.Zero(t, r.Excluded, "rank %d, faults=%s", rank, x.Faults)
	}
}

// The same in partitions: each has a view of its own.
func TestAllLiveRanksOfAPartitionAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 9)
		o := anyService(t, logp)
		schedule := slices.Concat(anyFailures(t, logp.Ranks), anyPartition(t, logp.Ranks))
		lastsFor(t, logp.Ranks, &o, len(o.Joins)+2*len(schedule), logp.Ranks)
		run(t, logp, o, schedule.String()).hold(t)
	})
}

// Safety does not depend on anything: not on timeouts that are long enough, nor on inquiries, nor
// on ranks that are as fast as others.
func TestSafetyHoldsWhateverHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logp := anyMachine(t, 12)
		o := anyService(t, logp)
		o.Timeout = draw.Ticks(t, "timeout", 1, 60)
		if rapid.Bool().Draw(t, "random") {
			o.Inquiry = membership.Random
		}
		o.Stay, o.Abort = rapid.Bool().Draw(t, "stay"), rapid.Bool().Draw(t, "abort")
		o.Until = 3000
		slow := draw.Points{Calls: 20, Until: early}.Slow(t, logp.Ranks)
		schedule := slices.Concat(anyFailures(t, logp.Ranks), anyPartition(t, logp.Ranks), slow)
		run(t, logp, o, schedule.String()).hold(t)
	})
}
