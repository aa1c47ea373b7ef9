package broadcast_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// someMachine draws a machine of up to that many ranks.
func someMachine(random *rand.Rand, most int) clock.LogP {
	return clock.LogP{
		Ranks:    1 + random.IntN(most),
		Latency:  1 + clock.Time(random.IntN(5)),
		Overhead: 1 + clock.Time(random.IntN(4)),
	}
}

// someDown draws ranks that fail before the broadcast, the root not among them.
func someDown(random *rand.Rand, ranks, root, count int) faults.Schedule {
	order := random.Perm(ranks)
	order = slices.DeleteFunc(order, func(rank int) bool { return rank == root })
	return down(order[:min(count, len(order))]...)
}

// Whoever is down before the broadcast, all others get the message as long as the root is
// alive: with every tree, numbering and root, however tree and correction go together.
func TestCheckedAndItsKinReachEveryLiveRank(t *testing.T) {
	lab := newLab(t)
	for seed := range uint64(thorough.Times(60)) {
		random := rand.New(rand.NewPCG(seed, 0))
		logp := someMachine(random, 100)
		for _, c := range []correction.Correction{
			correction.Checked{},
			must(correction.NewFailureProof(logp, random.IntN(4))),
			correction.NewDelayed(logp, clock.Time(random.IntN(20))),
		} {
			for _, o := range arrangements(c) {
				if _, proof := c.(*correction.FailureProof); proof && o.Chain {
					continue
				}
				all := forest(logp)
				root := random.IntN(logp.Ranks)
				o.Tree = must(tree.WithRoot(all[random.IntN(len(all))], root))
				dead := someDown(random, logp.Ranks, root, random.IntN(logp.Ranks))
				rep := lab.broadcast(logp, o, dead)
				require.Empty(t, rep.Unreached, describe(logp, o, dead))
				require.Empty(t, rep.Deadlocks, describe(logp, o, dead))
			}
		}
	}
}

// Checked correction is stronger than the papers say: no crash of one or two ranks, at any
// time, leaves a live rank out on an interleaved tree of eight.
func TestNoTwoCrashesBreakCheckedCorrectionOfEight(t *testing.T) {
	lab := newLab(t)
	logp := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}
	o := checkedOn(tree.Binomial{Ranks: 8})
	everySchedule(lab, logp, o, []int{1, 2, 3, 4, 5, 6, 7}, 1, 2, func(s faults.Schedule, r *report.Report) {
		require.Empty(t, r.Unreached, "faults %v", s)
	})
}

// It does break with three on the in-order tree of sixteen.
func TestThreeCrashesBreakCheckedCorrectionOfSixteen(t *testing.T) {
	logp := clock.LogP{Ranks: 16, Latency: 2, Overhead: 1}
	o := checkedOn(must(tree.NewBinomial(16, tree.InOrder)))
	schedule := faults.MustParse("crash:4,crash:3@t17,crash:8@t18")
	require.Equal(t, []int{5}, newLab(t).broadcast(logp, o, schedule).Unreached)
	o.Correction = must(correction.NewFailureProof(logp, 2))
	require.Empty(t, newLab(t).broadcast(logp, o, schedule).Unreached)
}

// everySchedule runs every crash of up to `most` of these ranks, each at every step-th tick
// of a run without faults. These are farther apart for several ranks without -thorough, and with -short.
func everySchedule(lab *lab, logp clock.LogP, o broadcast.Options, ranks []int, step clock.Time, most int,
	check func(faults.Schedule, *report.Report)) {
	switch {
	case testing.Short():
		step *= 7
	case most > 1 && !thorough.All():
		step *= 3
	}
	program := lab.make(logp, o).Program(mailbox.Message{})
	quiet := lab.run(logp, program, nil).Quiescence
	var extend func(schedule faults.Schedule, from int)
	extend = func(schedule faults.Schedule, from int) {
		check(schedule, lab.run(logp, program, schedule))
		if len(schedule) == most {
			return
		}
		for i := from; i < len(ranks); i++ {
			for at := clock.Time(0); at <= quiet; at += step {
				crash := faults.Fault{Kind: faults.Crash, Rank: ranks[i], At: faults.OnTime(at)}
				extend(append(slices.Clone(schedule), crash), i+1)
			}
		}
	}
	extend(nil, 0)
}

// allOrNothing fails unless all live ranks were reached, or none.
func allOrNothing(t *testing.T, r *report.Report, format string, args ...any) {
	t.Helper()
	if live := len(r.Ranks) - len(r.Failed); len(r.Unreached) != live {
		require.Empty(t, r.Unreached, append([]any{format}, args...)...)
	}
	require.Empty(t, reachedDeadlocks(r), append([]any{format}, args...)...)
}

// reachedDeadlocks lists ranks that have the message and wait for ever.
func reachedDeadlocks(r *report.Report) []report.Deadlock {
	return slices.DeleteFunc(slices.Clone(r.Deadlocks), func(d report.Deadlock) bool {
		return r.Ranks[d.Rank].Coloured == clock.Never
	})
}

// Failure-proof correction with f=1 and f=2: as many crashes at any time, the root's
// included, and either all live ranks get the message or none.
func TestFailureProofCorrectionSurvivesEveryCrash(t *testing.T) {
	lab := newLab(t)
	for _, c := range []struct {
		ranks, f int
		step     clock.Time // between the instants that are tried
	}{{2, 1, 1}, {3, 1, 1}, {5, 1, 1}, {8, 1, 1}, {9, 1, 1}, {4, 2, 1}, {5, 2, 3}, {7, 2, 5}} {
		logp := clock.LogP{Ranks: c.ranks, Latency: 2, Overhead: 1}
		for _, n := range tree.Numberings() {
			for _, overlapped := range []bool{false, true} {
				o := broadcast.Options{
					Tree:       must(tree.NewBinomial(c.ranks, n)),
					Correction: must(correction.NewFailureProof(logp, c.f)),
					Overlapped: overlapped,
				}
				var all []int
				for rank := range c.ranks {
					all = append(all, rank)
				}
				everySchedule(lab, logp, o, all, c.step, c.f, func(s faults.Schedule, r *report.Report) {
					allOrNothing(t, r, "%s", describe(logp, o, s))
				})
			}
		}
	}
}

// The same with any number of ranks down from the start and random crashes at sends,
// receives and steps.
func TestFailureProofCorrectionSurvivesRandomCrashes(t *testing.T) {
	lab := newLab(t)
	for seed := range uint64(thorough.Times(600)) {
		random := rand.New(rand.NewPCG(seed, 1))
		logp := someMachine(random, 40)
		f := random.IntN(4)
		forest := forest(logp)
		o := broadcast.Options{
			Tree:       must(tree.WithRoot(forest[random.IntN(len(forest))], random.IntN(logp.Ranks))),
			Correction: must(correction.NewFailureProof(logp, f)),
			Overlapped: random.IntN(2) == 0,
			EarlyRest:  random.IntN(2) == 0,
		}
		schedule := someDown(random, logp.Ranks, o.Tree.Root(), random.IntN(1+logp.Ranks/2))
		for range f {
			crash := faults.Fault{
				Kind: []faults.Kind{faults.Crash, faults.Hang}[random.IntN(2)],
				Rank: random.IntN(logp.Ranks),
				At: []faults.Point{
					faults.OnTime(clock.Time(random.IntN(100))),
					faults.BeforeNthSend(1 + random.IntN(12)), faults.DuringNthSend(1 + random.IntN(12)), faults.AfterNthSend(1 + random.IntN(12)),
					faults.OnNthRecv(1 + random.IntN(4)), faults.OnStep(broadcast.StepCorrection, 1),
				}[random.IntN(6)],
			}
			if !slices.Contains(schedule, crash) {
				schedule = append(schedule, crash)
			}
		}
		allOrNothing(t, lab.broadcast(logp, o, schedule), "seed %d: %s", seed, describe(logp, o, schedule))
	}
}

// Without failures in the middle, f=0 is checked correction.
func TestFailureProofAgainstNothingIsChecked(t *testing.T) {
	lab := newLab(t)
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 2))
		logp := someMachine(random, 100)
		logp.Ranks += 40 // the sides do not meet
		o := checkedOn(tree.Binomial{Ranks: logp.Ranks})
		dead := someDown(random, logp.Ranks, 0, random.IntN(4))
		want := costOf(lab.broadcast(logp, o, dead))
		o.Correction = must(correction.NewFailureProof(logp, 0))
		require.Equal(t, want, costOf(lab.broadcast(logp, o, dead)), describe(logp, o, dead))
	}
}

// SOS: with the root alone at first, and crashing in the middle of its correction, whoever
// it has reached tells everybody.
func TestSOSTellsEverybody(t *testing.T) {
	logp := clock.LogP{Ranks: 8, Latency: 2, Overhead: 1}
	o := broadcast.Options{Tree: tree.Binomial{Ranks: 8}, Correction: must(correction.NewFailureProof(logp, 1))}
	rep := newLab(t).broadcast(logp, o, faults.MustParse("crash:1,crash:2,crash:4,crash:0@after-send4"))
	require.Empty(t, rep.Unreached)
	require.Empty(t, rep.Deadlocks)
	distress := 0
	for _, e := range rep.Events {
		if e.Kind == report.EventSend && e.Msg == correction.SOS {
			distress++
		}
	}
	require.NotZero(t, distress)
}
