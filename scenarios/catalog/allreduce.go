package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols/allreduce"
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
		Checks:    []guarantee.Guarantee{got.promise(reduction.Redundancy), guarantee.NoDeadlock{}, guarantee.Integrity{}},
		Reduction: true,
		State:     got,
		Measures:  scenarios.Measures{Details: got.details},
	}, nil
}

// allReduced is what each rank gets; nil if nothing.
type allReduced struct {
	scenarios.State
	results []*reduced
}

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

// promise holds if all live ranks have the same complete result, as long as one is promised.
func (a *allReduced) promise(f int) guarantee.Guarantee {
	return guarantee.VerdictFunc("every live rank gets the value of every live rank once, in order", false, func(run guarantee.Run) guarantee.Verdict {
		complete, without := a.live(run.Report)
		excuse, wrong := noPromise(run, f), wrongResult(complete, run.Report)
		switch {
		case len(complete) > 1:
			return guarantee.Verdict{Evidence: wrong}
		case len(without) > 0 && excuse == "":
			return guarantee.Verdict{Evidence: "no complete result on " + guarantee.ListRanks(without)}
		case len(complete) == 0 && excuse == "":
			return guarantee.Verdict{Held: true} // no rank is left
		case len(complete) == 0:
			return notClaimed(excuse)
		}
		return verdictOn(wrong, run.Report)
	})
}

// WrongResult says what is wrong with the complete results of an all-reduce that was run, whoever has
// one; "" if nothing is, or if the line is about something else.
func WrongResult(r *scenarios.Run, rep *report.Report) string {
	a, ok := r.Experiment().State.(*allReduced)
	if !ok {
		return ""
	}
	complete, _ := a.live(rep)
	return wrongResult(complete, rep)
}

// wrongResult says what is wrong with the different complete results of live ranks; "" if nothing is.
func wrongResult(different []string, rep *report.Report) string {
	switch len(different) {
	case 0:
		return ""
	case 1:
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
