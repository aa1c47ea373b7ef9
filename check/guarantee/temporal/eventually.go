package temporal

import (
	"fmt"
	"slices"
	"sort"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report"
)

// What is a [Happening] or a [Condition].
type What interface {
	String() string
	// spans are when it was so, in order, and how often something happened on which that depends.
	spans(guarantee.Run) (found []span, changes int)
}

// Eventually holds if within so many ticks of a moment something happens, or a condition holds; clock.Forever is at whatever time. The moment itself and the
// last of these ticks count. An event is not its own consequence, nor that of a later one of its rank; events of other ranks at that instant may be.
//
// A run that has a report is over: everybody has returned, has failed, waits for ever, or lingers for what does not come. So nothing happens after its last event,
// and a condition stays as it is. What has not happened by then is broken, even if there would have been time. Only if the last rank failed before the time was
// over is nothing claimed of what is missing.
//
// All ranks together owe it. So it does not matter what became of the rank of the moment, nor whether that had failed before: see [LeadsTo].
func Eventually(name string, from Moment, within clock.Time, what What) guarantee.Guarantee {
	p := prospect{from: from, within: allowed(name, within), what: what, meets: func(o origin, s span) bool {
		return s.to > o.at && !(s.rank == o.rank && s.event >= 0 && s.event <= o.event)
	}}
	return guarantee.VerdictFunc(name, true, p.check)
}

// LeadsTo is that of each rank to which one thing happens so does the other within so many ticks: whoever asks is answered. A rank that fails in time, or comes back,
// owes nothing, and nor does one that had failed before: a message may still get into the mailbox of a rank that hangs. What happens to it then is no effect either.
func LeadsTo(name string, cause Happening, within clock.Time, effect Happening) guarantee.Guarantee {
	p := prospect{from: AfterEach(cause), within: allowed(name, within), what: effect, own: true, meets: func(o origin, s span) bool {
		return s.rank == o.rank && s.event > o.event
	}}
	return guarantee.VerdictFunc(name, true, p.check)
}

// Settles holds if within so many ticks of a moment a condition begins to hold and then does so until the end of the run, which goes on for ever as it is when
// nothing happens any more.
//
// If all ranks have failed, what counts is the time up to then. Nothing is claimed if the last one failed before the condition had to hold, or if it came in time and held until
// that one failed. It is broken if it did not hold while a rank lived on, even if that was because others had failed.
func Settles(name string, from Moment, within clock.Time, c Condition) guarantee.Guarantee {
	p := prospect{from: from, within: allowed(name, within), what: c, stays: true, meets: func(_ origin, s span) bool { return s.to == clock.Forever }}
	return guarantee.VerdictFunc(name, true, p.check)
}

// allowed is the time within which something is to come. None is less than no time.
func allowed(name string, within clock.Time) clock.Time {
	if within < 0 {
		panic(fmt.Sprintf("temporal: %s within %s, want 0 or more, clock.Forever for at whatever time", name, ticks(within)))
	}
	return within
}

// prospect is that something comes in time.
type prospect struct {
	from   Moment
	within clock.Time
	what   What
	own    bool // the rank's own: if it fails, it owes nothing
	stays  bool // it has to stay, too, for as long as a rank lives
	meets  func(origin, span) bool
}

// check looks at moment after moment, of which the first that is not met decides.
func (p *prospect) check(run guarantee.Run) guarantee.Verdict {
	all := p.from.of(run)
	found, _ := p.what.spans(run)
	late := lateEvents(run)
	if p.own {
		found = slices.DeleteFunc(found, func(s span) bool { return late[s.event] })
	}
	met, slowest := 0, clock.Time(0)
	var words string // of one that was met
	for _, o := range all {
		came := p.first(o, found)
		at := clock.Never
		if came != nil {
			at = max(o.at, came.from)
		}
		switch {
		case at <= p.deadline(o):
			met++
			slowest = max(slowest, at-o.at)
			words = fmt.Sprintf("at t=%d, %s after %s", at, ticks(at-o.at), o.words)
		case p.own && (late[o.event] || p.excused(run, o)), !p.own && nobodyLives(run) && p.cutShort(o, found, lastFailed(run)):
		default:
			return p.missed(run, o, at)
		}
	}
	switch {
	case len(all) == 0:
		return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "there is no moment after " + p.from.says}
	case met == 0 && p.own:
		return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "no rank lived to see " + p.what.String()}
	case met == 0:
		return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "no rank is left"}
	case met == 1:
		return guarantee.Verdict{Value: guarantee.Held, Evidence: words}
	}
	return guarantee.Verdict{Value: guarantee.Held, Evidence: fmt.Sprintf("%d times, after %s at most", met, ticks(slowest))}
}

func ticks(t clock.Time) string { return text.Count(int64(t), "tick") }

// deadline is the last instant at which what is promised may come.
func (p *prospect) deadline(o origin) clock.Time {
	return min(o.at+min(p.within, clock.Forever), clock.Forever)
}

// first is when it is so after a moment, for the first time; nil if never.
func (p *prospect) first(o origin, found []span) *span {
	for i := sort.Search(len(found), func(i int) bool { return found[i].to > o.at }); i < len(found); i++ {
		if p.meets(o, found[i]) {
			return &found[i]
		}
	}
	return nil
}

// excused reports whether the rank of a moment fails or comes back before it is too late.
func (p *prospect) excused(run guarantee.Run, o origin) bool {
	for _, e := range run.Report.Events[o.event+1:] {
		if e.Time > p.deadline(o) {
			return false
		}
		if e.Rank == o.rank && (Failure.Is(e) || Rejoin.Is(e)) {
			return true
		}
	}
	return false
}

// cutShort reports whether what is promised is not there because all ranks have failed, the last one at this instant: before it was too late, or when that which is to stay had
// come in time and had stayed up to then.
func (p *prospect) cutShort(o origin, found []span, last clock.Time) bool {
	if last <= p.deadline(o) {
		return true
	}
	return p.stays && slices.ContainsFunc(found, func(s span) bool { return s.from <= p.deadline(o) && s.to >= last })
}

// missed is the verdict if what is promised does not come after a moment, or comes too late.
func (p *prospect) missed(run guarantee.Run, o origin, at clock.Time) guarantee.Verdict {
	words := "never after " + o.words
	if p.within < clock.Forever {
		words = fmt.Sprintf("not within %s of %s", ticks(p.within), o.words)
	}
	words += ": " + p.what.String()
	if at == clock.Never {
		words += fmt.Sprintf("; all was over at t=%d", over(run))
	} else {
		words += fmt.Sprintf("; it came at t=%d", at)
	}
	return guarantee.Verdict{Evidence: words, Marks: p.marks(run, o)}
}

// longest is how many ranks are marked where all are to blame.
const longest = 8

// marks are the time that passed in vain, on the rank that waited or on those that lived, and the event after which it did.
func (p *prospect) marks(run guarantee.Run, o origin) (marks []guarantee.Mark) {
	if o.rank != report.NoPeer {
		marks = append(marks, guarantee.Mark{Rank: o.rank, From: o.at, To: o.at, Text: p.from.says})
	}
	waiting := []int{o.rank}
	if !p.own {
		waiting = waiting[:0]
		for rank := range run.Report.Size() {
			if f, failed := run.Report.FailureOf(rank); !failed || nobodyLives(run) && f.Time > p.deadline(o) {
				waiting = append(waiting, rank)
			}
			if len(waiting) == longest {
				break
			}
		}
	}
	for _, rank := range waiting {
		marks = append(marks, guarantee.Mark{Rank: rank, From: o.at, To: p.deadline(o), Text: "not " + p.what.String(), Guilty: true})
	}
	return marks
}

// lastFailed is when the last of the ranks failed that did not come back.
func lastFailed(run guarantee.Run) (last clock.Time) {
	for _, f := range run.Report.Failed {
		last = max(last, f.Time)
	}
	return last
}

// nobodyLives reports whether all ranks have failed.
func nobodyLives(run guarantee.Run) bool { return len(run.Report.Failed) == run.Report.Size() }
