package temporal_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/guarantee/temporal"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

// end is after all events that are drawn.
const end clock.Time = 40

// told is a kind of message that makes a rank lead.
const told mailbox.Kind = 7

var leads = temporal.While("leader", temporal.Step("lead").Or(temporal.Received(told)), temporal.Step("follow"))

func draw(t *rapid.T) guarantee.Run {
	var events []report.Event
	extinct := rapid.Bool().Draw(t, "extinct") // all fail in the end
	for rank := range 4 {
		failed := false
		now := clock.Time(0)
		for range rapid.IntRange(0, 6).Draw(t, "events") {
			now += clock.Time(rapid.IntRange(0, 5).Draw(t, "pause"))
			switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
			case what > 7: // by the mailbox, even if the rank has failed
				events = append(events, report.Event{Time: now, Rank: rank, Kind: report.EventReceive, Msg: told})
			case failed:
				events = append(events, event(now, rank, report.EventRejoin))
				failed = false
			case what == 0:
				events = append(events, event(now, rank, rapid.SampledFrom([]report.EventKind{report.EventCrash, report.EventHang}).Draw(t, "failure")))
				failed = true
			default:
				events = append(events, step(now, rank, []string{"lead", "follow", "ask"}[what%3]))
			}
		}
		if extinct && !failed {
			events = append(events, event(now+clock.Time(rapid.IntRange(0, 9).Draw(t, "pause")), rank, report.EventCrash))
		}
	}
	return traced(events...)
}

// leaders are those after all events of an instant, found out from the beginning, and how many ranks live.
func leaders(run guarantee.Run, at clock.Time) (leading map[int]bool, live int) {
	leading, failed := make(map[int]bool), make(map[int]bool)
	for _, e := range run.Report.Events {
		switch {
		case e.Time > at:
		case e.Kind == report.EventCrash || e.Kind == report.EventHang:
			failed[e.Rank] = true
			delete(leading, e.Rank)
		case e.Kind == report.EventRejoin:
			delete(failed, e.Rank)
		case e.Step == "lead", e.Kind == report.EventReceive && !failed[e.Rank]:
			leading[e.Rank] = true
		case e.Step == "follow":
			delete(leading, e.Rank)
		}
	}
	return leading, 4 - len(failed)
}

// drawCondition draws a condition, and the same as a function of an instant.
func drawCondition(t *rapid.T, run guarantee.Run) (temporal.Condition, func(at clock.Time) bool) {
	n := rapid.IntRange(0, 3).Draw(t, "n")
	count := func(at clock.Time) int {
		leading, _ := leaders(run, at)
		return len(leading)
	}
	switch rapid.IntRange(0, 4).Draw(t, "condition") {
	case 0:
		return leads.AtMost(n), func(at clock.Time) bool { return count(at) <= n }
	case 1:
		return leads.AtLeast(n), func(at clock.Time) bool { return count(at) >= n }
	case 2:
		return leads.Everywhere(), func(at clock.Time) bool {
			leading, live := leaders(run, at)
			return live > 0 && len(leading) == live
		}
	case 3:
		return leads.On(n).Not().And(leads.AtLeast(1)), func(at clock.Time) bool {
			leading, _ := leaders(run, at)
			return !leading[n] && len(leading) > 0
		}
	}
	return leads.On(n).Or(temporal.Happened(temporal.Hang)), func(at clock.Time) bool {
		leading, _ := leaders(run, at)
		for _, e := range run.Report.Events {
			if e.Kind == report.EventHang && e.Time <= at {
				return true
			}
		}
		return leading[n]
	}
}

// always reports whether something is so at each instant from one to another one.
func always(from, to clock.Time, so func(clock.Time) bool) bool {
	for at := from; at <= to; at++ {
		if !so(at) {
			return false
		}
	}
	return true
}

// sometimes reports whether something is so at one of the instants.
func sometimes(from, to clock.Time, so func(clock.Time) bool) bool {
	return !always(from, to, func(at clock.Time) bool { return !so(at) })
}

func requireBroken(t *rapid.T, broken bool, g guarantee.Guarantee, run guarantee.Run) {
	v := g.Check(run)
	require.Equal(t, broken, v.Value == guarantee.Broken, "%v of\n%v", v, run.Report.Events)
}

func TestPromisesMeanWhatTheirDefinitionsSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		c, so := drawCondition(t, run)
		_, live := leaders(run, end)
		within := clock.Time(rapid.IntRange(0, 12).Draw(t, "within"))

		requireBroken(t, !always(0, end, so), temporal.Always("", c), run)

		// After each event that asks, and after the last failure.
		var asked []clock.Time
		last := clock.Time(0)
		for _, e := range run.Report.Events {
			if e.Step == "ask" {
				asked = append(asked, e.Time)
			}
			if e.Kind == report.EventCrash || e.Kind == report.EventHang {
				last = e.Time
			}
		}
		for _, m := range []struct {
			temporal.Moment
			all []clock.Time
		}{{temporal.AfterEach(temporal.Step("ask")), asked}, {temporal.AfterLastFailure, []clock.Time{last}}, {temporal.Start, []clock.Time{0}}} {
			comes, stays := true, true
			for _, at := range m.all { // nothing is owed if all have failed in time, nor if it stayed until the last one did
				settles := func(to clock.Time) bool {
					return sometimes(at, at+within, func(from clock.Time) bool { return always(from, to, so) })
				}
				comes = comes && (sometimes(at, at+within, so) || live == 0 && last <= at+within)
				stays = stays && (settles(end+within) || live == 0 && (last <= at+within || settles(last-1)))
			}
			requireBroken(t, !comes, temporal.Eventually("", m.Moment, within, c), run)
			requireBroken(t, !stays, temporal.Settles("", m.Moment, within, c), run)
		}

		came := end + 1
		for _, e := range run.Report.Events {
			if e.Step == "ask" {
				came = min(came, e.Time)
			}
		}
		before := always(0, came-1, so)
		requireBroken(t, !before, temporal.WeakUntil("", c, temporal.Step("ask")), run)
		requireBroken(t, !before || came > end && live > 0, temporal.Until("", c, temporal.Step("ask")), run)
	})
}

func TestOneThingLeadsToAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := draw(t)
		within := clock.Time(rapid.IntRange(0, 12).Draw(t, "within"))
		broken := false
		for i, ask := range run.Report.Events {
			if ask.Step != "ask" && ask.Kind != report.EventReceive {
				continue
			}
			owes := true
			for j, e := range run.Report.Events {
				failure := e.Kind == report.EventCrash || e.Kind == report.EventHang
				switch {
				case e.Rank != ask.Rank || e.Time > ask.Time+within:
				case j < i && failure:
					owes = false
				case j < i && e.Kind == report.EventRejoin:
					owes = true
				case j > i && (e.Step == "lead" || failure || e.Kind == report.EventRejoin):
					owes = false
				}
			}
			broken = broken || owes
		}
		requireBroken(t, broken, temporal.LeadsTo("", temporal.Step("ask").Or(temporal.Received(told)), within, temporal.Step("lead")), run)
	})
}
