package campaign

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// jsonSummary is a row of the table with all its numbers.
type jsonSummary struct {
	Values     map[string]string `json:"values"`
	Runs       int               `json:"runs"`
	Messages   *jsonSample       `json:"messages,omitempty"`
	Colouring  *jsonSample       `json:"colouring,omitempty"`
	Quiescence *jsonSample       `json:"quiescence,omitempty"`
	Exit       *jsonSample       `json:"exit,omitempty"`
	Missed     *jsonSample       `json:"missed,omitempty"`
	Done       *jsonSample       `json:"done,omitempty"`
	RootExit   *jsonSample       `json:"root_exit,omitempty"`
	Gap        *jsonSample       `json:"gap,omitempty"`
	Correction *jsonSample       `json:"correction,omitempty"`
	Held       jsonShare         `json:"held"`
	Judged     guarantee.Tally   `json:"judged,omitzero"`
	Complete   *jsonShare        `json:"complete,omitempty"`
}

type jsonSample struct {
	Mean       float64            `json:"mean"`
	Confidence *float64           `json:"confidence95,omitempty"`
	Median     float64            `json:"median"`
	P99        float64            `json:"p99"`
	Percentile map[string]float64 `json:"percentile,omitempty"` // another one that was asked for
	Min        float64            `json:"min"`
	Max        float64            `json:"max"`
}

type jsonShare struct {
	Hits   int        `json:"hits"`
	Runs   int        `json:"runs"`
	Wilson [2]float64 `json:"wilson95"`
}

// JSON is the table with all its numbers, as something to marshal.
func (t Table) JSON() any {
	rows := make([]jsonSummary, len(t.Points))
	for i := range t.Points {
		s := &t.Points[i]
		rows[i] = jsonSummary{
			Values: make(map[string]string), Runs: s.Runs,
			Messages: t.sample(&s.Messages), Colouring: t.sample(&s.Colouring),
			Quiescence: t.sample(&s.Quiescence), Exit: t.sample(&s.Exit), Done: t.sample(&s.Done), Missed: t.sample(&s.Missed),
			RootExit: t.sample(&s.RootExit), Gap: t.sample(&s.Gap), Correction: t.sample(&s.Correction),
			Held: newJSONShare(s.Held), Judged: s.Judged,
		}
		if s.Complete.Runs > 0 {
			complete := newJSONShare(s.Complete)
			rows[i].Complete = &complete
		}
		for k, key := range t.Keys {
			rows[i].Values[key] = s.Values[k]
		}
	}
	return rows
}

// sample is nil for an empty sample. A single value has no confidence.
func (t Table) sample(s *stats.Sample) *jsonSample {
	if s.Len() == 0 {
		return nil
	}
	j := &jsonSample{Mean: s.Mean(), Median: s.Median(), P99: s.Percentile(99), Min: s.Min(), Max: s.Max()}
	if t.Percentile != UsualPercentile {
		j.Percentile = map[string]float64{fmt.Sprint(t.Percentile): s.Percentile(t.Percentile)}
	}
	if s.Len() > 1 {
		about := s.Confidence(stats.Level)
		j.Confidence = &about
	}
	return j
}

func newJSONShare(p stats.Proportion) jsonShare {
	low, high := p.Wilson(stats.Level)
	return jsonShare{p.Hits, p.Runs, [2]float64{low, high}}
}
