package catalog

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// promises are those of the calls. All algorithms are measured by the same; what one does not claim to stand is
// said beside it.
func (w *ulfmWork) promises() []guarantee.Guarantee {
	needs := append(needsBy(w.agreement), detectable(w.detector))
	stands := w.stands()
	promise := func(says string, wrong func(*report.Report) string) guarantee.Guarantee {
		return guarantee.Promise{Guarantee: guarantee.VerdictFunc(says, false, func(run guarantee.Run) guarantee.Verdict {
			return w.verdict(run.Report, wrong)
		}), Premises: needs, Stands: stands}
	}
	var all []guarantee.Guarantee
	switch w.op {
	case "agree":
		all = []guarantee.Guarantee{
			promise("all live ranks return the same", w.different),
			promise("the vote of every live rank counts", w.uncounted),
			promise("a failure is reported unless all have acknowledged it", w.unreported),
			promise("who did not vote is known to have failed", w.unknown),
		}
	case "shrink":
		all = []guarantee.Guarantee{
			promise("all live ranks return the same", w.different),
			promise("every live rank is a member", w.leftOut),
			promise("nobody is a member that one knew to have failed", w.leftIn),
		}
	default:
		stands = nil
		all = []guarantee.Guarantee{promise("all live ranks hear of it; if the one who revokes fails, all or none", w.unheard)}
	}
	return append(all, guarantee.Promise{Guarantee: guarantee.NoDeadlock{}, Premises: needs, Stands: stands}, guarantee.Integrity{})
}

// stands is what the algorithm of a line was made to stand, where that is less than all failures.
func (w *ulfmWork) stands() premises {
	if w.agreement == ulfm.Gathering {
		return premises{{Says: "rank 0 lives, and all know of all failures before they call", Unmet: func(run guarantee.Run) string {
			return w.surprise(run.Report)
		}}}
	}
	return standsBy(w.agreement)
}

// needsBy is what the algorithm presupposes of the network.
func needsBy(a ulfm.Agreement) premises {
	if a == ulfm.Gathering { // it takes messages as they come
		return premises{guarantee.ArrivesOnce}
	}
	return nil
}

// standsBy is what it was made to stand, for what is made of several calls.
func standsBy(a ulfm.Agreement) premises {
	if a == ulfm.OpenMPI || a == ulfm.Gathering {
		return premises{guarantee.NobodyFails}
	}
	return nil
}

// surprise is a failure that is too much for MPICH's way.
func (w *ulfmWork) surprise(rep *report.Report) string {
	for _, failure := range rep.Failed {
		if failure.Rank == 0 {
			return failure.String()
		}
		for rank := range rep.Live() {
			calls := w.shares[rank].Calls
			if len(calls) == 0 || !slices.Contains(calls[0].Acked, failure.Rank) {
				return fmt.Sprintf("not rank %d: %s", rank, failure)
			}
		}
	}
	return ""
}

// verdict is that on what is wrong, if anybody is left to judge by.
func (w *ulfmWork) verdict(rep *report.Report, wrong func(*report.Report) string) guarantee.Verdict {
	live := len(rep.Ranks) - len(rep.Failed)
	if live == 0 {
		return notClaimed("no rank is left")
	}
	for rank := range rep.Live() {
		switch own := &w.shares[rank]; {
		case !own.Done:
			return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d does not return", rank)}
		case len(own.Calls) == 0 || len(own.Calls) > w.calls || len(own.Calls) < w.calls && own.Calls[len(own.Calls)-1].Error == "":
			return guarantee.Verdict{Evidence: fmt.Sprintf("rank %d has made %s", rank, text.Count(len(own.Calls), "call"))}
		}
	}
	if why := wrong(rep); why != "" {
		return guarantee.Verdict{Evidence: why}
	}
	return guarantee.Verdict{Value: guarantee.Held, Evidence: text.Count(live, "live rank")}
}

// each looks at every call of every live rank, and returns the first thing that is wrong.
func (w *ulfmWork) each(rep *report.Report, wrong func(rank, number int, call *ulfmCall) string) string {
	for rank := range rep.Live() {
		for i := range w.shares[rank].Calls {
			if why := wrong(rank, i, &w.shares[rank].Calls[i]); why != "" {
				return fmt.Sprintf("%s %d: %s", w.op, i+1, why)
			}
		}
	}
	return ""
}

// different says which two ranks return different things.
func (w *ulfmWork) different(rep *report.Report) string {
	first := -1
	for rank := range rep.Live() {
		first = rank
		break
	}
	return w.each(rep, func(rank, i int, call *ulfmCall) string {
		calls := w.shares[first].Calls
		if i >= len(calls) {
			return fmt.Sprintf("rank %d has called it, rank %d not", rank, first)
		}
		other := &calls[i]
		if call.Flags == other.Flags && call.Error == other.Error && call.Made == other.Made && call.Size == other.Size && slices.Equal(call.Left, other.Left) {
			return ""
		}
		return fmt.Sprintf("rank %d has %s, rank %d %s", first, w.text(*other), rank, w.text(*call))
	})
}

// votes reports whether a rank has voted, as far as flags say: of several that have the same bit, one may have.
func (c *ulfmCall) votes(rank int) bool { return c.Flags&^ulfmVote(rank) == 0 }

// uncounted says whose vote is missing, or who has voted that there is not.
func (w *ulfmWork) uncounted(rep *report.Report) string {
	all := int64(-1)
	for rank := range rep.Live() {
		all &= ulfmVote(rank)
	}
	return w.each(rep, func(rank, _ int, call *ulfmCall) string {
		for other := range rep.Live() {
			if call.Flags&^all == 0 {
				break // all have voted
			}
			if !call.votes(other) {
				return fmt.Sprintf("rank %d has %s, without rank %d", rank, w.text(*call), other)
			}
		}
		for nobody := len(w.shares); nobody < 64; nobody++ {
			if bit := int64(1) << nobody; call.Flags&bit == 0 {
				return fmt.Sprintf("rank %d has %s, and there is no rank %d", rank, w.text(*call), nobody)
			}
		}
		return ""
	})
}

// unreported says which failure should have been reported and was not, or the other way round. The latter is said only if all have
// failed before the run, and all knew: otherwise one that has failed since may have voted without an acknowledgement.
func (w *ulfmWork) unreported(rep *report.Report) string {
	before := !slices.ContainsFunc(rep.Failed, func(f report.Failure) bool { return f.Time > 0 })
	open := w.unacknowledged(rep)
	return w.each(rep, func(rank, i int, call *ulfmCall) string {
		for _, o := range open[i] {
			if call.Error == "" && !call.votes(o.failed) {
				return fmt.Sprintf("rank %d has %s; rank %d has not voted, and rank %d has not acknowledged that", rank, w.text(*call), o.failed, o.by)
			}
		}
		if before && len(open[i]) == 0 && call.Error != "" {
			return fmt.Sprintf("rank %d has %s, and all have acknowledged all failures", rank, w.text(*call))
		}
		return ""
	})
}

// unacknowledged is a failure that one rank at least had not acknowledged.
type unacknowledged struct{ failed, by int }

// unacknowledged are those before each call.
func (w *ulfmWork) unacknowledged(rep *report.Report) [][]unacknowledged {
	open := make([][]unacknowledged, w.calls)
	for i := range open {
		for _, failure := range rep.Failed {
			for rank := range rep.Live() {
				if calls := w.shares[rank].Calls; i < len(calls) && !slices.Contains(calls[i].Acked, failure.Rank) {
					open[i] = append(open[i], unacknowledged{failure.Rank, rank})
					break
				}
			}
		}
	}
	return open
}

// unknown says who did not vote and is not known to have failed afterwards.
func (w *ulfmWork) unknown(rep *report.Report) string {
	all := int64(-1)
	for rank := range rep.Ranks {
		all &= ulfmVote(rank)
	}
	return w.each(rep, func(rank, _ int, call *ulfmCall) string {
		for other := range rep.Ranks {
			if call.Flags&^all == 0 {
				break // all have voted
			}
			if !call.votes(other) && !slices.Contains(call.Known, other) {
				return fmt.Sprintf("rank %d has %s; rank %d has not voted, and rank %d knows that %v have failed", rank, w.text(*call), other, rank, call.Known)
			}
		}
		return ""
	})
}

// leftOut says which live rank is no member of the communicator that another one has.
func (w *ulfmWork) leftOut(rep *report.Report) string {
	return w.each(rep, func(rank, i int, call *ulfmCall) string {
		for _, left := range call.Left {
			if _, failed := rep.FailureOf(left); !failed {
				return fmt.Sprintf("rank %d has %s, and rank %d lives", rank, w.text(*call), left)
			}
		}
		before := len(w.shares)
		if i > 0 {
			before = w.shares[rank].Calls[i-1].Size
		}
		if call.Size+len(call.Left) != before {
			return fmt.Sprintf("rank %d has %s, of %d before", rank, w.text(*call), before)
		}
		return ""
	})
}

// leftIn says who is a member, and was known to have failed before.
func (w *ulfmWork) leftIn(rep *report.Report) string {
	return w.each(rep, func(rank, _ int, call *ulfmCall) string {
		for _, known := range call.Acked {
			if !slices.Contains(call.Left, known) {
				return fmt.Sprintf("rank %d has %s, and knew that rank %d had failed", rank, w.text(*call), known)
			}
		}
		return ""
	})
}

// unheard says who has not heard of the revocation, though others have.
func (w *ulfmWork) unheard(rep *report.Report) string {
	var heard, not []int
	for rank := range rep.Live() {
		if w.knows(rank) {
			heard = append(heard, rank)
		} else {
			not = append(not, rank)
		}
	}
	_, failed := rep.FailureOf(w.root)
	switch {
	case len(not) == 0, failed && len(heard) == 0:
		return ""
	case len(heard) == 0:
		return "nobody has heard of it"
	}
	return fmt.Sprintf("%s has heard of it, %s not", guarantee.ListRanks(heard), guarantee.ListRanks(not))
}
