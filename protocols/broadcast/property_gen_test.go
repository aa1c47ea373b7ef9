package broadcast_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// What the property tests draw. Everything is drawn before a run starts, small things first,
// so that a case that fails shrinks to few ranks, cheap messages and few faults.

// forAll checks a claim on cases that rapid draws, some times as many as rapid would by
// itself. The lab reports to rapid, too.
func forAll(t *testing.T, claim func(t *rapid.T, lab *lab)) {
	t.Helper()
	t.Parallel()
	for range thorough.Times(4) {
		machines := make(map[clock.LogP]*emu.Machine)
		rapid.Check(t, func(drawn *rapid.T) { claim(drawn, &lab{shrinking{t, drawn}, machines}) })
	}
}

// shrinking is a test whose failures rapid hears of.
type shrinking struct {
	testing.TB
	drawn *rapid.T
}

func (s shrinking) Helper()                           { s.drawn.Helper() }
func (s shrinking) Errorf(format string, args ...any) { s.drawn.Errorf(format, args...) }
func (s shrinking) FailNow()                          { s.drawn.FailNow() }

// anyTree draws a tree of any shape, numbering and root.
func anyTree(t *rapid.T, logp clock.LogP) tree.Tree {
	numbering := rapid.SampledFrom(tree.Numberings()).Draw(t, "numbering")
	return anyRoot(t, anyShape(t, logp, numbering))
}

func anyShape(t *rapid.T, logp clock.LogP, numbering tree.Numbering) tree.Tree {
	shape := rapid.SampledFrom([]string{"binomial", "k-ary", "lame", "optimal"}).Draw(t, "shape")
	switch shape {
	case "k-ary":
		return must(tree.NewKary(logp.Ranks, rapid.IntRange(1, 6).Draw(t, "k"), numbering))
	case "lame":
		return must(tree.NewLame(logp.Ranks, rapid.IntRange(1, 4).Draw(t, "order"), numbering))
	case "optimal":
		return must(tree.NewOptimal(logp, numbering))
	}
	return must(tree.NewBinomial(logp.Ranks, numbering))
}

func anyRoot(t *rapid.T, shape tree.Tree) tree.Tree {
	return must(tree.WithRoot(shape, rapid.IntRange(0, shape.Size()-1).Draw(t, "root")))
}

// anyReliable draws a correction that promises to reach everybody.
func anyReliable(t *rapid.T, logp clock.LogP) correction.Correction {
	switch rapid.SampledFrom([]string{"checked", "delayed", "failure-proof"}).Draw(t, "correction") {
	case "delayed":
		return correction.NewDelayed(logp, draw.Ticks(t, "delay", 0, 20))
	case "failure-proof":
		return must(correction.NewFailureProof(logp, rapid.IntRange(0, 4).Draw(t, "f")))
	}
	return correction.Checked{}
}

func anyOpportunistic(t *rapid.T, optimized bool) *correction.Opportunistic {
	return &correction.Opportunistic{
		Messages: rapid.IntRange(0, 12).Draw(t, "messages"), Direction: anyDirection(t), Optimized: optimized,
	}
}

func anyDirection(t *rapid.T) correction.Direction {
	ways := []correction.Direction{correction.BothWays, correction.LeftOnly, correction.RightOnly}
	return rapid.SampledFrom(ways).Draw(t, "direction")
}

// anyCorrection draws any of them, or what may stand in the place of one.
func anyCorrection(t *rapid.T, logp clock.LogP) correction.Correction {
	switch rapid.SampledFrom([]string{"none", "acknowledge", "opportunistic", "optimized", "reliable"}).Draw(t, "family") {
	case "none":
		return correction.None{}
	case "acknowledge":
		return broadcast.Acknowledge{}
	case "opportunistic":
		return anyOpportunistic(t, false)
	case "optimized":
		return anyOpportunistic(t, true)
	}
	return anyReliable(t, logp)
}

// anyArrangement puts tree and correction together in any way that is allowed.
func anyArrangement(t *rapid.T, shape tree.Tree, c correction.Correction) broadcast.Options {
	ways := arrangements(c)
	if _, proof := c.(*correction.FailureProof); proof {
		ways = slices.DeleteFunc(ways, func(o broadcast.Options) bool { return o.Chain })
	}
	o := rapid.SampledFrom(ways).Draw(t, "arrangement")
	o.Tree = shape
	return o
}

// anyOthers draws up to most ranks, the root not among them.
func anyOthers(t *rapid.T, ranks, root, most int) []int {
	others := draw.Some(t, "ranks after the root", ranks-1, most)
	for i := range others {
		others[i] = (root + 1 + others[i]) % ranks
	}
	return others
}

// anyFailing draws f and up to f ranks, half of the time with the root among them.
func anyFailing(t *rapid.T, ranks, root int) (f int, failing []int) {
	if rapid.Bool().Draw(t, "root fails") {
		f = rapid.IntRange(1, 4).Draw(t, "f")
		return f, append(anyOthers(t, ranks, root, f-1), root)
	}
	f = rapid.IntRange(0, 4).Draw(t, "f")
	return f, anyOthers(t, ranks, root, f)
}

// anyDown draws up to most ranks that have failed before the broadcast, the root not among
// them.
func anyDown(t *rapid.T, shape tree.Tree, most int) faults.Schedule {
	return down(anyOthers(t, shape.Size(), shape.Root(), most)...)
}

// rankSet is the ranks of a schedule.
func rankSet(s faults.Schedule) map[int]bool {
	set := make(map[int]bool)
	for _, f := range s {
		set[f.Rank] = true
	}
	return set
}

// points is where a rank of a broadcast may fail.
var points = draw.Points{Calls: 12, Until: 200, Steps: []string{broadcast.StepColoured, broadcast.StepCorrection}}

// anySchedule lets any ranks fail at any point, and others be slow.
func anySchedule(t *rapid.T, ranks int) faults.Schedule {
	return append(points.Failures(t, draw.Some(t, "failing", ranks, ranks)), points.Slow(t, ranks)...)
}

// anyProgram draws a broadcast of any kind. Once it has run, delivered is what each rank has
// returned.
func anyProgram(t *rapid.T, lab *lab, logp clock.LogP, msg mailbox.Message) (program protocols.Program, delivered []mailbox.Message) {
	delivered = make([]mailbox.Message, logp.Ranks)
	if rapid.IntRange(0, 7).Draw(t, "kind of broadcast") == 7 {
		m := anyMultiTree(t, logp.Ranks)
		program = m.Program(msg)
		program.Main = func(p protocols.Proc) { delivered[p.Rank()] = m.Run(p, msg) }
		return program, delivered
	}
	shape := anyTree(t, logp)
	b := lab.make(logp, anyArrangement(t, shape, anyCorrection(t, logp)))
	program = b.Program(msg)
	program.Main = func(p protocols.Proc) { delivered[p.Rank()], _ = b.Run(p, msg) }
	return program, delivered
}

func anyMultiTree(t *rapid.T, ranks int) *broadcast.MultiTree {
	trees := draw.Number(t, "trees", 1, min(6, max(1, ranks-1)))
	arity := rapid.IntRange(trees, trees+3).Draw(t, "arity")
	return multiTree(ranks, trees, arity, rapid.IntRange(0, ranks-1).Draw(t, "root"))
}
