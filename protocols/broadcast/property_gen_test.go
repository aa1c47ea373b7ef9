package broadcast_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
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
	for range thorough(4) {
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

func anyTicks(t *rapid.T, name string, low, high int) clock.Time {
	return clock.Time(rapid.IntRange(low, high).Draw(t, name))
}

// anyMachine draws a machine of least to most ranks.
func anyMachine(t *rapid.T, least, most int) clock.LogP {
	return clock.LogP{
		Latency: anyTicks(t, "L", 1, 6), Overhead: anyTicks(t, "o", 1, 4), Gap: anyTicks(t, "g", 0, 6),
		Ranks: anyNumber(t, "P", least, most),
	}
}

// anyPaperMachine draws one as in the papers, where g is at most o and has no effect.
func anyPaperMachine(t *rapid.T, least, most int) clock.LogP {
	logp := anyMachine(t, least, most)
	logp.Gap = min(logp.Gap, logp.Overhead)
	return logp
}

// anyNumber draws small and large numbers alike; rapid by itself prefers small ones.
func anyNumber(t *rapid.T, name string, low, high int) int {
	n := rapid.IntRange(low, high).Draw(t, name)
	if rapid.Bool().Draw(t, "from the top") {
		return high - (n - low)
	}
	return n
}

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
		return correction.NewDelayed(logp, anyTicks(t, "delay", 0, 20))
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

// anySome draws up to most different numbers.
func anySome(t *rapid.T, name string, low, high, most int) []int {
	if low > high {
		return nil
	}
	count := anyNumber(t, "number of "+name, 0, min(most, high-low+1))
	return rapid.SliceOfNDistinct(rapid.IntRange(low, high), count, count, rapid.ID[int]).Draw(t, name)
}

// anyOthers draws up to most ranks, the root not among them.
func anyOthers(t *rapid.T, ranks, root, most int) []int {
	others := anySome(t, "ranks after the root", 1, ranks-1, most)
	for i := range others {
		others[i] = (root + others[i]) % ranks
	}
	return others
}

// anyDown draws up to most ranks that have failed before the broadcast, the root not among
// them.
func anyDown(t *rapid.T, shape tree.Tree, most int) faults.Schedule {
	return down(anyOthers(t, shape.Size(), shape.Root(), most)...)
}

// anySlow draws ranks that are slow from some point on.
func anySlow(t *rapid.T, ranks int) faults.Schedule {
	var s faults.Schedule
	for _, rank := range anySome(t, "slow", 0, ranks-1, 6) {
		factor := rapid.IntRange(2, 30).Draw(t, "factor")
		s = append(s, faults.Fault{Kind: faults.Slow, Rank: rank, Factor: factor, At: anyPoint(t)})
	}
	return s
}

// anyFailures lets these ranks crash or hang, each at some point.
func anyFailures(t *rapid.T, ranks []int) faults.Schedule {
	var s faults.Schedule
	for _, rank := range ranks {
		kind := rapid.SampledFrom([]faults.Kind{faults.Crash, faults.Hang}).Draw(t, "kind")
		s = append(s, faults.Fault{Kind: kind, Rank: rank, At: anyPoint(t)})
	}
	return s
}

// anyPoint draws a time or a place in a program. Not every run gets there.
func anyPoint(t *rapid.T) faults.Point {
	nth := rapid.IntRange(1, 12)
	switch rapid.SampledFrom([]string{"time", "before send", "in send", "after send", "receive", "step"}).Draw(t, "point") {
	case "before send":
		return faults.BeforeNthSend(nth.Draw(t, "send"))
	case "in send":
		return faults.DuringNthSend(nth.Draw(t, "send"))
	case "after send":
		return faults.AfterNthSend(nth.Draw(t, "send"))
	case "receive":
		return faults.OnNthRecv(nth.Draw(t, "receive"))
	case "step":
		steps := []string{broadcast.StepColoured, broadcast.StepCorrection}
		return faults.OnStep(rapid.SampledFrom(steps).Draw(t, "step"), 1)
	}
	return faults.OnTime(anyTicks(t, "at", 0, 200))
}

// anySchedule lets any ranks fail at any point, and others be slow.
func anySchedule(t *rapid.T, ranks int) faults.Schedule {
	return append(anyFailures(t, anySome(t, "failing", 0, ranks-1, ranks)), anySlow(t, ranks)...)
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
	trees := anyNumber(t, "trees", 1, min(6, max(1, ranks-1)))
	arity := rapid.IntRange(trees, trees+3).Draw(t, "arity")
	return multiTree(ranks, trees, arity, rapid.IntRange(0, ranks-1).Draw(t, "root"))
}
