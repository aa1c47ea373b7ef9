package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// all are the details of a run.
func (w *teamwork[T]) all(rep *report.Report) []scenarios.Detail {
	var all []scenarios.Detail
	if w.details != nil {
		all = append(all, w.details(w.results(rep))...)
	}
	all = append(all, scenarios.Detail{Name: "done", Text: w.doneText(rep)})
	for _, p := range w.phases() {
		all = append(all, scenarios.Detail{Name: p.name(), Text: p.text(w.unit)})
	}
	return append(all, waitingDetails(rep, w.note, w.unit)...)
}

// answered is what the computation has returned, if it is a query.
func (w *teamwork[T]) answered(rep *report.Report) *scenarios.Answer {
	if w.answer == nil {
		return nil
	}
	return w.answer(w.results(rep))
}

// results are those of live ranks.
func (w *teamwork[T]) results(rep *report.Report) map[int]T {
	results := make(map[int]T)
	for rank := range rep.Live() {
		w.shares[rank].Results.copyTo(results)
	}
	return results
}

// completion is when the last live rank has come to the end.
func (w *teamwork[T]) completion(rep *report.Report) (c scenarios.Completion) {
	complete := true
	c.Noticed = clock.Never
	for _, f := range rep.Failed {
		if !w.shares[f.Rank].Done {
			c.Noticed = min(c.Noticed, w.noticed(rep, f))
		}
	}
	for rank := range rep.Live() {
		own := &w.shares[rank]
		if own.Spare {
			continue
		}
		c.Ended, c.Attempts = max(c.Ended, own.At), max(c.Attempts, own.Attempts)
		complete = complete && own.Done && own.Error == ""
	}
	c.At = c.Ended
	if !complete || len(rep.Failed) == len(rep.Ranks) {
		c.At = clock.Never
	}
	return c
}

// noticed is when a failure was known to the first live rank. With heartbeats it may have been a little earlier.
func (w *teamwork[T]) noticed(rep *report.Report, f report.Failure) clock.Time {
	known := f.Time + w.detector.Delay
	if w.detector.Spread == 0 {
		return known
	}
	life, lag := 0, w.detector.Spread
	for _, back := range rep.Rejoined {
		if back.Rank == f.Rank {
			life++
		}
	}
	for rank := range rep.Live() {
		lag = min(lag, w.detector.Lag(w.seed, rank, f.Rank, life))
	}
	return known + lag
}

func (w *teamwork[T]) doneText(rep *report.Report) string {
	c := w.completion(rep)
	switch {
	case len(rep.Failed) == len(rep.Ranks):
		return "never: no rank is left"
	case c.At == clock.Never && c.Ended > 0:
		return fmt.Sprintf("never; given up at %s", w.unit.Show(c.Ended))
	case c.At == clock.Never:
		return "never"
	case c.Attempts > 1:
		return fmt.Sprintf("%s, the last live rank, in attempt %d", w.unit.Show(c.At), c.Attempts)
	}
	return fmt.Sprintf("%s, the last live rank", w.unit.Show(c.At))
}

// phase is one operation, on all ranks.
type phase struct {
	phaseKey
	operation string
	from, to  clock.Time
	longest   [3]clock.Time // of a rank, by activity
}

type phaseKey struct {
	attempt int
	number  uint32
}

// phases are the operations in the order in which they began.
func (w *teamwork[T]) phases() []*phase {
	found := make(map[phaseKey]*phase)
	last := 0
	for rank := range w.shares {
		last = max(last, w.shares[rank].Attempts)
	}
	for rank := range w.shares {
		missed := 0
		if own := &w.shares[rank]; w.strategy.respawn && own.Done { // it may have been started when others were in a later one
			missed = last - own.Attempts
		}
		spent := make(map[phaseKey][3]clock.Time)
		for _, s := range w.shares[rank].Spans {
			key := phaseKey{missed + s.Attempt, s.Number}
			if found[key] == nil {
				found[key] = &phase{phaseKey: key, operation: s.Operation, from: s.From}
			}
			p, times := found[key], spent[key]
			p.from, p.to = min(p.from, s.From), max(p.to, s.To)
			times[s.Activity] += s.To - s.From
			spent[key] = times
		}
		for key, times := range spent {
			for activity, t := range times {
				found[key].longest[activity] = max(found[key].longest[activity], t)
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b *phase) int {
		return cmp.Or(cmp.Compare(a.attempt, b.attempt), cmp.Compare(a.from, b.from), cmp.Compare(a.number, b.number))
	})
}

func (p *phase) name() string {
	if p.attempt > 1 {
		return fmt.Sprintf("%d: %s", p.attempt, p.operation)
	}
	return p.operation
}

func (p *phase) text(unit line.Unit) string {
	var parts []string
	for activity, t := range p.longest {
		if t > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", collective.Activity(activity), unit.Span(t)))
		}
	}
	text := fmt.Sprintf("%s to %s", unit.Show(p.from), unit.Show(p.to))
	if len(parts) == 0 {
		return text
	}
	return text + ": " + strings.Join(parts, ", ")
}
