package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
)

// seven ranks in a binary tree; a message takes 2o+L = 4 ticks, a computation 3.
func seven() *trial {
	return &trial{logp: clock.LogP{Ranks: 7, Latency: 2, Overhead: 1}, options: membership.Options{Children: 2, Compute: 3}}
}

// Rank 3 fails. The path goes to 2, the root's second child, and to 6, the second child of 2.
func TestItemsByHand(t *testing.T) {
	require.Equal(t, model.Items{Levels: 2, Latency: 4 * 2, Compute: 3 * 3, Overheads: 8 * 1, Sends: 2 * 1},
		seven().alone(3, 4).run(t).items(t, 0))
}

// Rank 6 fails. Now 1 has two children and 2 has one. But 2 was sent to a tick later, so that
// both acknowledge at the same time, and the root receives that of 1 first.
func TestItemsOfAcknowledgementsThatMeet(t *testing.T) {
	require.Equal(t, model.Items{Levels: 2, Latency: 4 * 2, Compute: 3 * 3, Overheads: 8 * 1, Sends: 1, Waits: 1},
		seven().alone(6, 3).run(t).items(t, 0))
}

// Without computation the root is not done with its receipt to the questioner when it could send
// to its children: the port is busy for 4 ticks more after o.
func TestItemsOfAnOccupiedPort(t *testing.T) {
	x := seven()
	x.options.Compute, x.logp.Gap = 0, 5
	require.Equal(t, model.Items{Levels: 2, Latency: 4 * 2, Overheads: 8 * 1, Sends: 2 * 5, Waits: 4},
		x.alone(3, 4).run(t).items(t, 0))
}

// Changes of one rank have 8 bytes, 7 after the first. Both on the path are the second that their
// senders send.
func TestItemsOfLongMessages(t *testing.T) {
	x := seven()
	x.logp.PerByte = 2
	require.Equal(t, model.Items{Levels: 2, Latency: 4 * 2, Compute: 3 * 3, Overheads: 8 * 1, Sends: 2 * 1, Bytes: 4 * 7 * 2},
		x.alone(3, 4).run(t).items(t, 0))
}

// A root whose only child has failed has nobody to wait for.
func TestItemsOfARootAlone(t *testing.T) {
	x := seven()
	x.logp.Ranks = 2
	require.Equal(t, model.Items{Compute: 3}, x.alone(1, 0).run(t).items(t, 0))
}

// Rank 6 is found to have failed when the change about 3 is long over: one child less below 2, and
// the path goes to 5. Now 1 and 2 have one child each.
func TestItemsAreThoseOfTheLastChange(t *testing.T) {
	x := seven().alone(3, 4).alone(6, 4)
	x.options.Questions = []membership.Question{{At: 5, From: 4, To: 3}, {At: 2000, From: 4, To: 6}}
	x.run(t)
	require.Len(t, x.service.Records()[0].Led, 2)
	require.Equal(t, model.Items{Levels: 2, Latency: 4 * 2, Compute: 3 * 3, Overheads: 8 * 1, Sends: 1}, x.items(t, 0))
}

// The root has given up the child that it has waited for longest, or has heard of it otherwise:
// what passed at the child, if anything, is not what the root has waited for.
func TestPathEndsAtAChildThatDidNotTakePart(t *testing.T) {
	changes, other := membership.Changes("").With(2, 1), membership.Changes("").With(2, 2)
	root := membership.Passage{Changes: changes, Parent: -1, Learnt: 10, Computed: 13, Slowest: 1, Turn: 1, Heard: 100, Acknowledged: 110}
	waited := model.Items{Compute: 3, Waits: 97}
	for _, tt := range []struct {
		name  string
		child membership.Passage
		want  model.Items
	}{
		{
			"it took part", membership.Passage{Changes: changes, Parent: 0, Learnt: 20, Computed: 25, Slowest: -1, Acknowledged: 96},
			model.Items{Levels: 1, Latency: 4, Compute: 3 + 5, Overheads: 4, Sends: 1, Waits: 2 + (96 - 25) + 10},
		},
		{"too late", membership.Passage{Changes: changes, Parent: 0, Learnt: 20, Computed: 25, Slowest: -1, Acknowledged: 97}, waited},
		{"it failed in between", membership.Passage{Changes: changes, Parent: 0, Learnt: 20}, waited},
		{"in another change", membership.Passage{Changes: other, Parent: 0, Learnt: 20, Computed: 25, Slowest: -1, Acknowledged: 90}, waited},
		{"below another parent", membership.Passage{Changes: changes, Parent: 3, Learnt: 20, Computed: 25, Slowest: -1, Acknowledged: 90}, waited},
		{"in none", membership.Passage{}, waited},
	} {
		records := []membership.Record{
			{Last: root, Led: []membership.Led{{Began: 10, At: 110, Changes: changes}}},
			{Last: tt.child}, {}, {},
		}
		got, err := model.Itemise(records, 0, clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}, nil)
		require.NoError(t, err)
		require.Equal(t, tt.want, got, tt.name)
		require.EqualValues(t, 100, got.Total())
	}
}

// A root may take part in the change of another root after its own, or fail in the middle of
// one. There are no records of a path then.
func TestItemiseWantsTheLastChangeToBeTheRoots(t *testing.T) {
	changes, later := membership.Changes("").With(2, 1), membership.Changes("").With(2, 2)
	done := membership.Led{Began: 10, At: 110, Changes: changes}
	for name, r := range map[string]membership.Record{
		"another's":              {Last: membership.Passage{Changes: changes, Parent: 3, Acknowledged: 110}, Led: []membership.Led{done}},
		"a later one":            {Last: membership.Passage{Changes: later, Parent: -1, Learnt: 120}, Led: []membership.Led{done}},
		"the first, begun again": {Last: membership.Passage{Changes: changes, Parent: -1, Learnt: 120}, Led: []membership.Led{done}},
		"not complete":           {Last: membership.Passage{Changes: changes, Parent: -1, Learnt: 10}},
	} {
		_, err := model.Itemise([]membership.Record{r}, 0, clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}, nil)
		require.Error(t, err, name)
	}
}

func TestItemiseWantsTheRootOfACompleteChange(t *testing.T) {
	x := seven().alone(6, 3).run(t)
	for _, rank := range []int{-1, 1, 6, 7} {
		_, err := model.Itemise(x.service.Records(), rank, x.logp, nil)
		require.ErrorContains(t, err, "want one of ranks 0 to 6 whose last view change is one that it has led to its end", rank)
	}
	x.service.Reset()
	_, err := model.Itemise(x.service.Records(), 0, x.logp, nil)
	require.EqualError(t, err, "model: root = 0, want one of ranks 0 to 6 whose last view change is one that it has led to its end")
}

// anyTrial draws a service on a machine of up to 70 ranks.
func anyTrial(t *rapid.T) *trial {
	x := &trial{logp: draw.Machine(t, 2, 70)}
	if rapid.Bool().Draw(t, "bytes cost") {
		x.logp.PerByte = draw.Ticks(t, "G", 1, 3)
	}
	x.options.Children = rapid.SampledFrom([]int{2, 4, 8}).Draw(t, "children")
	x.options.Compute = draw.Ticks(t, "compute", 0, 12)
	return x
}

// anyFailure lets one rank fail, and another find out.
func anyFailure(t *rapid.T, x *trial) *trial {
	pair := draw.Exactly(t, "failed and questioner", x.logp.Ranks, 2)
	return x.alone(pair[0], pair[1])
}

// requireRead compares with the trace.
func requireRead(t require.TestingT, x *trial, root int) model.Items {
	items := x.items(t, root)
	require.Equal(t, x.read(root), items, "%v", x)
	require.GreaterOrEqual(t, items.Waits, clock.Time(0), "%v", x)
	return items
}

func TestOnAUniformNetworkItemsExplainTheBaseModel(t *testing.T) {
	asHigh := 0
	rapid.Check(t, func(t *rapid.T) {
		x := anyFailure(t, anyTrial(t)).run(t)
		root := x.root(t)
		items, height := requireRead(t, x, root), x.view(root).Height()
		require.Less(t, items.Levels, height)
		if items.Levels == height-1 {
			asHigh++
			base := model.Base(x.logp.Latency, x.options.Compute, height)
			require.Equal(t, items.Unmodelled(), items.Total()-base, "%v", x)
		}
	})
	require.NotZero(t, asHigh)
}

func TestOnATorusTheDistanceModelCountsNoLevelTooLow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyTrial(t)
		torus := anyTorus(t, x.logp.Ranks)
		x.network = torus
		anyFailure(t, x).run(t)
		root := x.root(t)
		items := requireRead(t, x, root)
		distance := model.Distance(x.view(root), torus.Hops, torus.PerHop, x.options.Compute)
		require.LessOrEqual(t, items.Total(), distance+items.Unmodelled(), "%v", x)
	})
}

// What messages wait for at a switch is no latency.
func TestBehindASwitchContentionIsWaiting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyTrial(t)
		x.network = clock.Switch{In: draw.Ticks(t, "in", 0, 4), Service: draw.Ticks(t, "service", 1, 9), Out: draw.Ticks(t, "out", 0, 4)}
		anyFailure(t, x).run(t)
		items := requireRead(t, x, x.root(t))
		require.Equal(t, x.network.MinLatency()*2*clock.Time(items.Levels), items.Latency)
	})
}

// Whoever fails, comes back or is slow, and whoever is taken for failed: all time is accounted
// for, and none of it twice.
func TestItemsAddUpWhateverHappens(t *testing.T) {
	itemised := 0
	rapid.Check(t, func(t *rapid.T) {
		x := anyTrial(t)
		x.options.Inquiry, x.options.Every, x.options.Until = membership.Successor, 200, 4000
		points := draw.Points{Calls: 20, Until: 2000, Steps: []string{"regroup", "install", "stable"}}
		failing := draw.Some(t, "failing", x.logp.Ranks, 4)
		x.faults = points.Failures(t, failing)
		for _, rank := range failing {
			if rapid.Bool().Draw(t, "comes back") {
				x.faults = append(x.faults, faults.Fault{Kind: faults.Rejoin, Rank: rank, At: faults.OnTime(draw.Ticks(t, "back", 2001, 3000))})
			}
		}
		x.faults = append(x.faults, points.Slow(t, x.logp.Ranks)...)
		x.run(t)
		for rank := range x.service.Records() {
			if items, err := model.Itemise(x.service.Records(), rank, x.logp, nil); err == nil {
				itemised++
				last := x.last(rank)
				require.Equal(t, last.At-last.Began, items.Total(), "rank %d, %v", rank, x)
				require.GreaterOrEqual(t, items.Waits, clock.Time(0), "rank %d, %v", rank, x)
			}
		}
	})
	require.NotZero(t, itemised)
}

// A change that has come from rank 0 was not led by the rank that took part in it, even if both were complete at one instant.
func TestItemiseRefusesAChangeOfRankZero(t *testing.T) {
	records := make([]membership.Record, 3)
	records[1].Led = []membership.Led{{At: 9}}
	records[1].Last = membership.Passage{Parent: -1, Acknowledged: 9, Slowest: -1}
	_, err := model.Itemise(records, 1, clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}, nil)
	require.NoError(t, err)
	records[1].Last.Parent = 0
	_, err = model.Itemise(records, 1, clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}, nil)
	require.Error(t, err)
}
