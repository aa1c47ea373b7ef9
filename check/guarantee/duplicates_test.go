package guarantee_test

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

func TestNoDuplicatesCountsDeliveries(t *testing.T) {
	twice := traced(step(0, 0, "coloured"), take(4, 1, 0, 0), step(4, 1, "coloured"), take(9, 1, 0, 0), step(9, 1, "coloured"))
	series := traced(
		step(0, 0, "coloured"), take(4, 0, 1, 0), step(4, 1, "coloured"), step(5, 0, "coloured"),
		take(5, 1, 0, 1), step(5, 1, "coloured"))
	for name, c := range map[string]struct {
		run      guarantee.Run
		g        guarantee.NoDuplicates
		value    guarantee.Value
		evidence string
	}{
		"nothing happened":      {traced(), guarantee.NoDuplicates{}, unclaimed, "step coloured 0 times, on no rank more than once"},
		"once each":             {traced(step(0, 0, "coloured"), step(4, 1, "coloured")), guarantee.NoDuplicates{}, held, "step coloured 2 times, on no rank more than once"},
		"twice":                 {twice, guarantee.NoDuplicates{}, broken, "t=9 rank 1 step coloured: that is 2 times, want at most once"},
		"twice in two":          {twice, guarantee.NoDuplicates{Operations: 2}, held, "step coloured 3 times, on no rank more than 2 times"},
		"twice the first":       {twice, guarantee.NoDuplicates{Operations: 2, ByEpoch: true}, broken, "t=9 rank 1 step coloured: it had delivered a message of epoch 0 before"},
		"another step":          {twice, guarantee.NoDuplicates{Step: "commit"}, unclaimed, "step commit 0 times, on no rank more than once"},
		"another step, twice":   {traced(step(1, 3, "commit"), step(2, 3, "commit")), guarantee.NoDuplicates{Step: "commit"}, broken, "t=2 rank 3 step commit: that is 2 times, want at most once"},
		"a root takes the last": {series, guarantee.NoDuplicates{Operations: 2, ByEpoch: true}, held, "step coloured 4 times, on no rank more than 2 times"},
		"three in two":          {traced(step(1, 3, "coloured"), step(2, 3, "coloured"), step(3, 3, "coloured")), guarantee.NoDuplicates{Operations: 2}, broken, "t=3 rank 3 step coloured: that is 3 times, want at most 2 times"},
	} {
		t.Run(name, func(t *testing.T) { requireVerdict(t, c.run, c.g, c.value, c.evidence) })
	}
}

// A rank delivers what it took last, also if that is of an earlier epoch than what it took
// before.
func TestNoDuplicatesByEpochLooksAtTheLastMessage(t *testing.T) {
	backwards := []report.Event{take(4, 1, 0, 1), step(4, 1, "coloured"), take(5, 1, 0, 0), step(5, 1, "coloured")}
	requireVerdict(t, traced(backwards...), guarantee.NoDuplicates{Operations: 2, ByEpoch: true}, held,
		"step coloured 2 times, on no rank more than 2 times")
	again := append(backwards, take(6, 1, 0, 0), step(6, 1, "coloured"))
	requireVerdict(t, traced(again...), guarantee.NoDuplicates{Operations: 3, ByEpoch: true}, broken,
		"t=6 rank 1 step coloured: it had delivered a message of epoch 0 before")
}

// What one rank delivers is no copy of what another one does, and only roots deliver what they
// have not taken.
func TestNoDuplicatesByEpochKeepsRanksApart(t *testing.T) {
	others := traced(take(4, 1, 0, 7), take(5, 2, 0, 7), step(5, 2, "coloured"), step(6, 1, "coloured"))
	requireVerdict(t, others, guarantee.NoDuplicates{ByEpoch: true}, held, "step coloured 2 times, on no rank more than once")
	series := traced(step(0, 0, "coloured"), step(5, 0, "coloured"))
	requireVerdict(t, series, guarantee.NoDuplicates{Operations: 2, ByEpoch: true}, held, "step coloured 2 times, on no rank more than 2 times")
	series.Roots = []int{3}
	requireVerdict(t, series, guarantee.NoDuplicates{Operations: 2, ByEpoch: true}, broken,
		"t=5 rank 0 step coloured: it had delivered a message of epoch 0 before")
}

// flood sends every message of a series twice to everybody.
func flood(broadcasts int, deliver func(p protocols.Proc)) protocols.Program {
	return fromRoot(func(p protocols.Proc) {
		if p.Rank() > 0 {
			deliver(p)
			return
		}
		for i := range 2 * broadcasts {
			for to := 1; to < p.Size(); to++ {
				p.Send(to, mailbox.Message{Epoch: uint32(i / 2)})
			}
		}
	})
}

// The ranks deliver whatever comes, also what they have already.
func TestNoDuplicatesCatchesARankThatForgetsThatItIsColoured(t *testing.T) {
	forgetful := flood(1, func(p protocols.Proc) {
		p.Recv(mailbox.Any)
		for ok := true; ok; {
			p.Step("coloured")
			_, _, ok = p.RecvUntil(mailbox.Any, 50)
		}
	})
	requireVerdict(t, run(t, 3, forgetful, "none"), guarantee.NoDuplicates{}, broken,
		"t=6 rank 1 step coloured: that is 2 times, want at most once")
}

// Without a look at epochs a rank takes the copy of the first message for the second one.
// The number of deliveries is right, so counting does not suffice.
func TestNoDuplicatesByEpochCatchesAMissingEpochCheck(t *testing.T) {
	careless := flood(2, func(p protocols.Proc) {
		for range 2 {
			p.Recv(mailbox.Any)
			p.Step("coloured")
		}
	})
	requireVerdict(t, run(t, 3, careless, "none"), guarantee.NoDuplicates{Operations: 2}, held,
		"step coloured 4 times, on no rank more than 2 times")
	requireVerdict(t, run(t, 3, careless, "none"), guarantee.NoDuplicates{Operations: 2, ByEpoch: true}, broken,
		"t=6 rank 1 step coloured: it had delivered a message of epoch 0 before")

	careful := flood(2, func(p protocols.Proc) {
		for epoch := range uint32(2) {
			protocols.RecvEpoch(p, mailbox.Any, epoch)
			p.Step("coloured")
		}
	})
	requireVerdict(t, run(t, 3, careful, "none"), guarantee.NoDuplicates{Operations: 2, ByEpoch: true}, held,
		"step coloured 4 times, on no rank more than 2 times")
}
