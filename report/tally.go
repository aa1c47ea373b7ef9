package report

import "github.com/mangrove-emu/mangrove/clock"

// Tally is what the results of some ranks add up to. A machine with many ranks lets several
// goroutines take a part each.
type Tally struct {
	colouring, exit clock.Time
	failed          []Failure
	unreached       []int
	unlisted        int // more of these than are kept
}

// Add counts one more rank. Ranks come in ascending order.
func (t *Tally) Add(rank int, r *RankResult) {
	if r.Coloured != clock.Never {
		t.colouring = max(t.colouring, r.Coloured)
	}
	switch {
	case r.Outcome.Failed():
		t.failed = append(t.failed, Failure{Rank: rank, Outcome: r.Outcome, Time: r.Exit})
		return
	case r.Outcome == Finished:
		t.exit = max(t.exit, r.Exit)
	}
	switch {
	case r.Coloured != clock.Never:
	case len(t.unreached) == LongestList:
		t.unlisted++
	default:
		t.unreached = append(t.unreached, rank)
	}
}

// LastExit is when the last program returned or the last rank failed.
func LastExit(ranks []RankResult) clock.Time {
	last := clock.Time(0)
	for i := range ranks {
		if t := ranks[i].Exit; t != clock.Never {
			last = max(last, t)
		}
	}
	return last
}

// Include puts a part into the report. Parts come in the order of their ranks.
func (rep *Report) Include(t *Tally) {
	rep.Colouring = max(rep.Colouring, t.colouring)
	rep.Exit = max(rep.Exit, t.exit)
	rep.Failed = append(rep.Failed, t.failed...)
	room := min(len(t.unreached), LongestList-len(rep.Unreached))
	rep.Unreached = append(rep.Unreached, t.unreached[:room]...)
	rep.Unlisted.Unreached += len(t.unreached) - room + t.unlisted
}
