package catalog

import (
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var redundancyKey = line.NumberKey("f", 1, 0, clock.MaxRanks, "failures tolerated, at any time")

var reduceProtocol = scenarios.Protocol{
	Name:    "reduce",
	Summary: "one value of every rank, combined in the order of ranks at one of them",
	Keys:    line.Keys{treeKey, orderKey, rootKey, redundancyKey},
	Idle:    treeIdle,
	Steps:   []string{reduce.StepExchanged, reduce.StepReduced},
	Build:   buildReduce,
}

func buildReduce(s line.Settings) (scenarios.Experiment, error) {
	options := reduceOptions(s)
	r, err := reduce.New(s.LogP(), options)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	got := &reduced{}
	return scenarios.Experiment{
		Program:   r.Program(ownRange, got.done),
		Roots:     []int{options.Root},
		Timing:    reduceTiming,
		Promises:  got.promises(options.Redundancy),
		Reduction: true,
		Measures:  scenarios.Measures{Details: got.details},
		State:     scenarios.OfRoot(s.LogP().Ranks, options.Root, got, func(left *reduced) error { return left.check(s.LogP().Ranks) }),
	}, nil
}

// reduceTiming is what a reduce takes for granted.
var reduceTiming = withinLatency("ranks have deadlines by which values must have come")

// reduceOptions makes the options of a reduce. Its trees are numbered in order, so that
// values are combined in order.
func reduceOptions(s line.Settings) reduce.Options {
	return reduce.Options{
		Root:       s.Int("root"),
		Redundancy: s.Int("f"),
		Operation:  joinRanges,
		Bytes:      longestRanges(s.LogP().Ranks),
		Tree: func(size int) (tree.Tree, error) {
			machine := s.LogP()
			machine.Ranks = size
			return trees.Of(s, "tree").make(machine, s.Int("k"), tree.InOrder)
		},
	}
}

// longestRanges is the length in bytes of the longest list of ranks on a machine of so many,
// whoever is missing in it: every third one, as in "0-1,3-4,6-7". That names two ranks in
// three, each with a dash or a comma behind it but the last.
//
// Deadlines depend on it, so it must not depend on the faults of the line: what a search runs
// would be another program than that of the line it prints.
func longestRanges(ranks int) int {
	named := 2 * (ranks + 1) / 3
	return named*(len(strconv.Itoa(ranks-1))+1) - 1
}

// reduced is what the root of a reduce gets.
type reduced struct {
	List     string
	Complete bool
}

func (r *reduced) done(result reduce.Value, complete bool) { *r = reduced{result.Payload, complete} }

// check refuses what is no result on a machine of so many ranks.
func (r *reduced) check(ranks int) error { return checkRanges(r.List, ranks) }

// promises are that the root gets every value; that one which is there is right; and that nobody waits, whatever fails.
func (r *reduced) promises(f int) []guarantee.Guarantee {
	result := guarantee.VerdictFunc("root gets the value of every live rank once, in order", false, func(run guarantee.Run) guarantee.Verdict {
		return verdictOn(r.wrong(run.Report), run.Report)
	})
	right := guarantee.VerdictFunc(completeIsRight, false, func(run guarantee.Run) guarantee.Verdict {
		if _, rootFailed := run.FailedRoot(); rootFailed || !r.Complete {
			return notClaimed("there is no complete result")
		}
		return verdictOn(r.wrong(run.Report), run.Report)
	})
	return []guarantee.Guarantee{
		guarantee.Promise{Guarantee: result, Premises: deadlinesKept(f)}, guarantee.Safety(right),
		guarantee.Promise{Guarantee: guarantee.NoDeadlock{}, MayLose: true}, guarantee.Integrity{}, // nobody waits beyond its deadlines
	}
}

// completeIsRight is what reductions promise whatever fails. With slow ranks, some may be missing.
const completeIsRight = "a complete result has every live rank once, in order"

// deadlinesKept are the premises of reductions, which wait for values until a deadline.
func deadlinesKept(f int) premises {
	return premises{guarantee.AtMostFailures(f), guarantee.RootsLive, guarantee.NobodySlow, guarantee.InTime}
}

// notClaimed is the verdict where there is nothing to judge.
func notClaimed(why string) guarantee.Verdict {
	return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: why}
}

// verdictOn is the verdict on a result, after what is wrong with it; "" if nothing is.
func verdictOn(wrong string, rep *report.Report) guarantee.Verdict {
	if wrong != "" {
		return guarantee.Verdict{Evidence: wrong}
	}
	return guarantee.Verdict{Value: guarantee.Held, Evidence: wellFormed(rep)}
}

// deadlinesMissed reports whether values may have come too late: somebody was slow, or a message late.
func deadlinesMissed(rep *report.Report) bool {
	run := guarantee.Run{Report: rep}
	return guarantee.NobodySlow.Unmet(run)+guarantee.InTime.Unmet(run) != ""
}

// wellFormed says what a result without flaw has.
func wellFormed(rep *report.Report) string {
	if deadlinesMissed(rep) {
		return "no rank is in the result twice; those whose values were too late may be missing"
	}
	return fmt.Sprintf("all %d live ranks are in the result", rep.Size()-len(rep.Failed))
}

// wrong says what is wrong with a result; "" if nothing is.
func (r *reduced) wrong(rep *report.Report) string {
	if !r.Complete {
		return "no complete result"
	}
	return flaw(r.List, rep)
}

func (r *reduced) details(*report.Report) []scenarios.Detail {
	if !r.Complete {
		return []scenarios.Detail{{Name: "result", Text: "none"}}
	}
	return []scenarios.Detail{{Name: "result", Text: "ranks " + r.List}}
}
