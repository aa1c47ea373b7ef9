package cause

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// subject is a rank that a verdict is about.
type subject struct {
	rank   int
	at     clock.Time // the instant that it is about
	text   string     // what is wrong with it
	waits  bool       // it waits for ever
	missed bool       // it was not reached, which is what is wrong
	mark   bool       // a mark says so
	other  int        // of how many more the same can be said
}

// until is how much of what the rank did can have led to that.
func (s subject) until() limit {
	if s.mark {
		return upToTime(s.at)
	}
	return unlimited
}

// namesRanks finds lists of ranks in evidence, such as "ranks 5, 9 and 3 more".
var namesRanks = regexp.MustCompile(`\branks? (\d+(?:(?:, | and )\d+)*)`)

// number finds a number.
var number = regexp.MustCompile(`\d+`)

// subjects are the ranks that a verdict is about, those it names first: guilty marks, then ranks in its evidence, else ranks that wait for ever or were
// not reached. There may be none.
func subjects(rep *report.Report, v guarantee.Verdict) (all []subject) {
	if all = marked(rep, v.Marks); len(all) > 0 {
		return all
	}
	for _, list := range namesRanks.FindAllStringSubmatch(v.Evidence, -1) {
		for _, word := range number.FindAllString(list[1], -1) {
			rank, err := strconv.Atoi(word)
			known := slices.ContainsFunc(all, func(s subject) bool { return s.rank == rank })
			if err == nil && rank < rep.Size() && !known {
				all = append(all, about(rep, v, rank))
			}
		}
	}
	if len(all) == 0 {
		for _, d := range rep.Deadlocks {
			all = append(all, about(rep, v, d.Rank))
		}
	}
	// One that waits for ever says more than another one that is named beside it; one that failed itself says nothing.
	slices.SortStableFunc(all, func(a, b subject) int { return cmp.Compare(rank(rep, a), rank(rep, b)) })
	for i := range all {
		if all[i].waits {
			all[i].other = max(0, rep.Waiting()-1)
		}
	}
	return all
}

// rank is how well a story begins with a subject; the lowest is best.
func rank(rep *report.Report, s subject) int {
	switch {
	case s.waits:
		return 0
	case rep.Ranks[s.rank].Outcome.Failed():
		return 2
	}
	return 1
}

// about says what is wrong with a rank, as far as the report knows.
func about(rep *report.Report, v guarantee.Verdict, rank int) subject {
	i, waits := slices.BinarySearchFunc(rep.Deadlocks, rank, func(d report.Deadlock, rank int) int { return cmp.Compare(d.Rank, rank) })
	result := &rep.Ranks[rank]
	s := subject{rank: rank, at: clock.Never, waits: waits}
	switch {
	case waits:
		d := rep.Deadlocks[i]
		s.text = fmt.Sprintf("rank %d waits for ever in %s(%s) since t=%d", d.Rank, d.Call, d.Want, d.Since)
	case result.Outcome.Failed():
	case strings.Contains(v.Evidence, "never reached") && slices.Contains(rep.Unreached, rank):
		s.missed = true
		s.text = fmt.Sprintf("rank %d was never reached", rank)
		if result.Outcome == report.Finished {
			s.text += fmt.Sprintf(", and returned at t=%d", result.Exit)
		}
	case result.Outcome == report.Finished:
		s.at = result.Exit // which is nothing wrong
	}
	return s
}

// marked are the ranks of marks, the guilty ones first.
func marked(rep *report.Report, marks []guarantee.Mark) (all []subject) {
	for _, guilty := range []bool{true, false} {
		for _, m := range marks {
			if m.Guilty == guilty && m.Rank >= 0 && m.Rank < rep.Size() {
				s := subject{rank: m.Rank, at: m.To, mark: true, text: fmt.Sprintf("rank %d from t=%d to t=%d: %s", m.Rank, m.From, m.To, m.Text)}
				if m.To == clock.Forever {
					s.text = fmt.Sprintf("rank %d from t=%d on: %s", m.Rank, m.From, m.Text)
				}
				all = append(all, s)
			}
		}
	}
	return all
}

// onlyFrom finds, in what a rank waits for, the only sender that will do.
var onlyFrom = regexp.MustCompile(` from (\d+)( |$)`)

// waitsFrom is that sender, or [report.Anyone].
func waitsFrom(want string) int {
	if found := onlyFrom.FindStringSubmatch(want); found != nil {
		if rank, err := strconv.Atoi(found[1]); err == nil {
			return rank
		}
	}
	return report.Anyone
}
