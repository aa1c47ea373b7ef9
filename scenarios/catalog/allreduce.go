package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols/allreduce"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var allReduceProtocol = scenarios.Protocol{
	Name:    "allreduce",
	Summary: "a reduce, then a broadcast of the result",
	Keys:    slices.Concat([]line.Key{treeKey, orderKey, numberingKey, rootKey, redundancyKey}, correctionKeys.Without("f"), arrangementKeys),
	Idle:    slices.DeleteFunc(slices.Concat(treeIdle, correctionIdle()), func(rule line.Idle) bool { return rule.Key == redundancyKey.Name }),
	Steps:   slices.Concat(reduceProtocol.Steps, broadcastProtocol.Steps),
	Build:   buildAllReduce,
}

func buildAllReduce(s line.Settings) (scenarios.Experiment, error) {
	reduction := reduceOptions(s)
	spreading, err := broadcastOptions(s)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	a, err := allreduce.New(s.LogP(), reduction, spreading)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	got := newAllReduced(s.Int("P"))
	return scenarios.Experiment{
		Program:   a.Program(ownRange, got.done),
		Roots:     []int{reduction.Root},
		Timing:    reduceTiming,
		Promises:  allReducePromises(s, got),
		Reduction: true,
		State:     got,
		Memory:    scenarios.Memory{Everywhere: pointerBytes},
		Measures:  scenarios.Measures{Details: got.details},
	}, nil
}

// allReduced is what each rank gets; nil if nothing.
type allReduced struct {
	scenarios.State
	results []*reduced
}

// Unwrap is what it keeps of ranks.
func (a *allReduced) Unwrap() scenarios.State { return a.State }

func newAllReduced(ranks int) *allReduced {
	a := &allReduced{}
	a.State = scenarios.PerRank[reduced]{
		Ranks:  ranks,
		Forget: func() { a.results = make([]*reduced, ranks) },
		Left:   func(rank int) *reduced { return a.results[rank] },
		Take: func(rank int, left *reduced) error {
			if err := left.check(ranks); err != nil {
				return err
			}
			a.results[rank] = left
			return nil
		},
	}
	return a
}

// done notes a result. Each rank has an element of its own.
func (a *allReduced) done(rank int, result reduce.Value, complete bool) {
	a.results[rank] = &reduced{result.Payload, complete}
}

// allReducePromises are that every live rank gets the result, as far as the broadcast stands it; and that results that
// are there are right and the same, whatever fails.
func allReducePromises(s line.Settings, got *allReduced) []guarantee.Guarantee {
	needs, stands := corrections.Of(s, "correction").standing(s, []string{reduce.StepExchanged, reduce.StepReduced, broadcast.StepColoured})
	return []guarantee.Guarantee{
		guarantee.Promise{Guarantee: got.everywhere(), Premises: append(deadlinesKept(s.Int("f")), needs...), Stands: stands},
		guarantee.Safety(got.right()),
		guarantee.Promise{Guarantee: guarantee.NoDeadlock{}, Premises: append(premises{guarantee.RootsLive}, needs...), Stands: stands},
		guarantee.Integrity{},
	}
}

// everywhere holds if all live ranks have the same complete result, and it is right. It is claimed only if the root is one of them.
func (a *allReduced) everywhere() guarantee.Guarantee {
	return guarantee.VerdictFunc("every live rank gets the value of every live rank once, in order", false, func(run guarantee.Run) guarantee.Verdict {
		complete, without := a.live(run.Report)
		if len(without) > 0 {
			return guarantee.Verdict{Evidence: "no complete result on " + guarantee.ListRanks(without)}
		}
		return verdictOn(wrongResult(complete, run.Report), run.Report)
	})
}

// right holds if the complete results of live ranks are the same, and right.
func (a *allReduced) right() guarantee.Guarantee {
	return guarantee.VerdictFunc(completeIsRight, false, func(run guarantee.Run) guarantee.Verdict {
		complete, _ := a.live(run.Report)
		if len(complete) == 0 {
			return notClaimed("there is no complete result")
		}
		return verdictOn(wrongResult(complete, run.Report), run.Report)
	})
}

// wrongResult says what is wrong with the different complete results of live ranks, at least one; "" if nothing is.
func wrongResult(different []string, rep *report.Report) string {
	if len(different) == 1 {
		return flaw(different[0], rep)
	}
	return fmt.Sprintf("live ranks have different results: %s", strings.Join(different, " and "))
}

// live returns the different complete results of live ranks, and the live ranks without one.
func (a *allReduced) live(rep *report.Report) (different []string, without []int) {
	for rank := range rep.Live() {
		switch result := a.results[rank]; {
		case result == nil || !result.Complete:
			without = append(without, rank)
		case !slices.Contains(different, result.List):
			different = append(different, result.List)
		}
	}
	return different, without
}

// details list the different results, and on how many ranks each is.
func (a *allReduced) details(*report.Report) []scenarios.Detail {
	counts := make(map[string]int)
	for _, result := range a.results {
		switch {
		case result == nil:
		case result.Complete:
			counts["ranks "+result.List]++
		default:
			counts["none"]++
		}
	}
	var all []scenarios.Detail
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, scenarios.Detail{Name: "result", Text: fmt.Sprintf("%s, on %d ranks", text, counts[text])})
	}
	return all
}
