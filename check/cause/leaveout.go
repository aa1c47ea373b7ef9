package cause

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// leaveOut leaves out what can be, and finds the run to compare with.
func (x *explainer) leaveOut(rep *report.Report) error {
	var unfired faults.Schedule
	if rep != nil {
		unfired = rep.Unfired
	}
	var parts []faults.Schedule
	var idle faults.Schedule
	for _, f := range x.Schedule {
		switch {
		case slices.Contains(x.Given, f):
		case slices.Contains(unfired, f):
			idle = append(idle, f)
		default:
			parts = append(parts, faults.Schedule{f})
		}
	}
	defer func() {
		if len(idle) > 0 {
			x.Without = append(x.Without, Change{What: "without " + names(idle), Becomes: "the same, as that never happens", Faults: without(x.Schedule, idle)})
		}
	}()
	single := len(parts) <= MostFaults
	if !single {
		x.Note = fmt.Sprintf("the %d faults are left out in %d groups", len(parts), MostFaults)
		parts = group(parts)
	}
	held := 0
	for _, part := range parts {
		rest := without(x.Schedule, part)
		change, err := x.change("without "+names(part), rest)
		if err != nil {
			return err
		}
		if change.Holds {
			held++
			x.compare(part, rest)
		}
		if change.Holds && len(parts) <= mostOthers {
			if err := x.milder(part[0]); err != nil {
				return err
			}
		}
	}
	if held == 0 && len(parts) > 1 {
		all := slices.Concat(parts...)
		rest := without(x.Schedule, all)
		change, err := x.change("without any of them", rest)
		if err != nil {
			return err
		}
		if change.Holds {
			x.compare(all, rest)
		}
		if !single { // that is the one of many that is to be seen
			last := len(x.Without) - 1
			x.Without = slices.Insert(x.Without[:last], 0, x.Without[last])
		}
	}
	if single && len(parts) > 2 {
		return x.alone(parts)
	}
	return nil
}

// compare keeps a run in which it holds as the one to compare with, if it tells more than the one that there is: what a rank has forgotten that failed says more
// than that a message was late. Of those that tell the same it is the first.
func (x *explainer) compare(dropped, rest faults.Schedule) {
	if tells := x.tells(&dropped[0]); !x.found || tells < x.most {
		x.compared, x.dropped, x.found, x.most = rest, dropped, true, tells
		x.Beside = "without " + names(dropped)
	}
}

// tells is how much is told by a run without a fault; the lowest number is most.
func (x *explainer) tells(f *faults.Fault) int {
	switch {
	case f.Kind.Stops() && x.forgets(f.Rank):
		return 0
	case f.Kind.Stops():
		return 1
	case f.Kind == faults.Lose || f.Kind == faults.Cut:
		return 2
	case f.Kind == faults.Twice:
		return 3
	case f.Kind == faults.Late:
		return 4
	case f.Kind == faults.Slow:
		return 5
	}
	return 6
}

// change runs another schedule, and says what becomes of the promise.
func (x *explainer) change(what string, s faults.Schedule) (Change, error) {
	c := Change{What: what, Faults: s}
	switch p, err := x.play(s, false); {
	case x.ctx.Err() != nil:
		return c, context.Cause(x.ctx)
	case err != nil: // a rank that comes back and has not failed, say
		c.Becomes = "cannot be run: " + line(err.Error())
	default:
		c.Becomes, c.Holds = x.becomes(p.Verdicts)
	}
	x.Without = append(x.Without, c)
	return c, nil
}

// becomes says what other verdicts are beside the one that is broken.
func (x *explainer) becomes(all []guarantee.Verdict) (text string, holds bool) {
	broken := guarantee.OnlyBroken(all)
	for _, v := range broken {
		if v.Name == x.verdict.Name && sameButForTimes(v.Evidence, x.verdict.Evidence) {
			return "still broken, in the same way", false
		}
	}
	for _, v := range broken {
		if v.Name == x.verdict.Name {
			return "still broken: " + line(v.Evidence), false
		}
	}
	if len(broken) > 0 {
		return fmt.Sprintf("broken otherwise: %s: %s", broken[0].Name, line(broken[0].Evidence)), false
	}
	overall := guarantee.Overall(all)
	for _, v := range all {
		switch {
		case v.Name != x.verdict.Name:
		case v.Value == guarantee.Held: // whatever is not claimed besides
			return "holds", true
		case v.Value == guarantee.NotClaimed:
			return "not broken, nor claimed: " + line(v.Evidence), overall != guarantee.NotClaimed
		}
	}
	if overall == guarantee.NotClaimed {
		return "nothing is broken, nor claimed: " + line(guarantee.Unclaimed(all)), false
	}
	return "holds", true
}

// instants are what evidence says of times.
var instants = regexp.MustCompile(`\bt=\d+`)

// sameButForTimes reports whether two pieces of evidence are the same but for when it happened.
func sameButForTimes(a, b string) bool {
	return a == b || instants.ReplaceAllString(a, "t") == instants.ReplaceAllString(b, "t")
}

// longestLine is how much of a text is shown.
const longestLine = 160

// line is the first line of a text, or its beginning.
func line(s string) string {
	first, _, more := strings.Cut(s, "\n")
	if all := []rune(first); len(all) > longestLine {
		first, more = string(all[:longestLine]), true
	}
	if more {
		first += " ..."
	}
	return first
}

// milder tries the fault less severe, if that makes sense.
func (x *explainer) milder(f faults.Fault) error {
	mild := f
	switch {
	case f.Kind.Delays() && f.Delay > 1:
		mild.Delay /= 2
	case f.Kind == faults.Slow && f.Factor > 2:
		mild.Factor = 2
	case f.Kind.Stops() && f.Kept != faults.Others && x.forgets(f.Rank):
		mild.Kept = faults.Others
	default:
		return nil
	}
	s := slices.Clone(x.Schedule)
	s[slices.Index(s, f)] = mild
	_, err := x.change("with "+mild.String()+" instead", s)
	return err
}

// forgets reports whether a rank has lost something that it had stored.
func (x *explainer) forgets(rank int) bool {
	return x.broken != nil && slices.ContainsFunc(x.broken.events, func(e report.Event) bool { return e.Kind == report.EventForget && e.Rank == rank })
}

// alone runs the schedule with each part alone. That they all are harmless, as is usual of a schedule that was made small, is one line.
func (x *explainer) alone(parts []faults.Schedule) error {
	before := len(x.Without)
	hold := true
	for _, part := range parts {
		change, err := x.change("with "+names(part)+" only", slices.Concat(x.Given, part))
		if err != nil {
			return err
		}
		hold = hold && change.Holds
	}
	if hold {
		x.Without = append(x.Without[:before], Change{What: "with one of them only", Becomes: "holds", Holds: true, Faults: x.Given})
	}
	return nil
}

// without is a schedule without some of its faults.
func without(s, dropped faults.Schedule) faults.Schedule {
	rest := faults.Schedule{}
	for _, f := range s {
		if !slices.Contains(dropped, f) {
			rest = append(rest, f)
		}
	}
	return rest
}

// group puts the faults into [MostFaults] groups.
func group(parts []faults.Schedule) (groups []faults.Schedule) {
	for i := range MostFaults {
		low, high := i*len(parts)/MostFaults, (i+1)*len(parts)/MostFaults
		groups = append(groups, slices.Concat(parts[low:high]...))
	}
	return groups
}

// names lists a few faults.
func names(s faults.Schedule) string {
	switch {
	case len(s) <= 3:
		return s.String()
	}
	return fmt.Sprintf("%d faults, %s to %s", len(s), s[0], s[len(s)-1])
}
