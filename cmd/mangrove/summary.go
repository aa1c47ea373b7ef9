package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/internal/text"
	campaigns "github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

func (a *app) summaryCommand() *cobra.Command {
	var json bool
	percentile := usualPercentile
	cmd := &cobra.Command{
		Use:     "summary FILE",
		Short:   "Summarize the results of a campaign",
		Long:    "Print what the runs of each point of a campaign have in common: means with their\n95 % confidence, 99th percentiles, and how often guarantees held, with Wilson's\n95 % interval. FILE need not be complete.",
		Example: "  mangrove summary checked.ndjson",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			if !(percentile > 0 && percentile <= 100) {
				return fmt.Errorf("--percentile %v, want more than 0 and up to 100", percentile)
			}
			return a.summary(args[0], percentile, json)
		},
	}
	cmd.Flags().Float64Var(&percentile, "percentile", usualPercentile, "show what `p` % of the runs do not exceed")
	cmd.Flags().BoolVar(&json, "json", false, "print JSON")
	return cmd
}

// level is the confidence of all intervals.
const level = 0.95

// usualPercentile is the one that tables show unless the user wants another.
const usualPercentile = 99.0

func (a *app) summary(file string, percentile float64, json bool) error {
	c, all, err := campaigns.Summarize(file)
	if err != nil {
		return err
	}
	if json {
		return printJSON(a.stdout, jsonSummaries(c, all, percentile))
	}
	_, err = fmt.Fprint(a.stdout, summaryTable(c, all, percentile), brokenLines(all, c.LineOf))
	return err
}

// mostBroken is how many lines of broken runs are shown.
const mostBroken = 5

// brokenLines shows, for points with runs that broke a guarantee, the line of the first of these.
func brokenLines(all []campaigns.Summary, lineOf func(point, run int) string) string {
	var lines strings.Builder
	shown, broken := 0, 0
	for i := range all {
		s := &all[i]
		if s.Held.Hits == s.Held.Runs {
			continue
		}
		if broken++; shown == mostBroken {
			continue
		}
		if shown++; shown == 1 {
			lines.WriteString("\nthe first run of each row in which a guarantee was broken:\n")
		}
		fmt.Fprintf(&lines, "  %s\n", commandLine(lineOf(i, s.Broken)))
	}
	if broken > shown {
		fmt.Fprintf(&lines, "  and in %s\n", text.Count(broken-shown, "more row"))
	}
	return lines.String()
}

// summaryTable has a row for each point: its values, then what was measured.
func summaryTable(c *campaigns.Campaign, all []campaigns.Summary, percentile float64) string {
	late := fmt.Sprintf("%v %%", percentile)
	rows := [][]string{nil}
	for _, axis := range c.Axes() {
		rows[0] = append(rows[0], axis.Key)
	}
	computes, spreads := false, false
	for i := range all {
		done := all[i].Done.Len() > 0
		computes, spreads = computes || done, spreads || !done
	}
	rows[0] = append(rows[0], "runs", "messages", "")
	if computes {
		rows[0] = append(rows[0], "done", "", late)
	}
	if spreads {
		rows[0] = append(rows[0], "coloring", "", late, "quiescence", "", late, "missed")
	}
	rows[0] = append(rows[0], "held %", "")
	for i := range all {
		s := &all[i]
		row := append(append([]string(nil), s.Values...), fmt.Sprint(s.Runs))
		row = append(row, meanText(&s.Messages)...)
		if computes {
			row = append(append(row, meanText(&s.Done)...), lateText(&s.Done, percentile))
		}
		if spreads {
			row = append(append(row, meanText(&s.Coloring)...), lateText(&s.Coloring, percentile))
			row = append(append(row, meanText(&s.Quiescence)...), lateText(&s.Quiescence, percentile), meanText(&s.Missed)[0])
		}
		rows = append(rows, append(row, shareText(s.Held)...))
	}
	return text.Columns(rows, func(i int) bool { return i < len(c.Axes()) })
}

// meanText is a mean and how sure it is.
func meanText(s *stats.Sample) []string {
	switch {
	case s.Len() == 0:
		return []string{"-", ""}
	case s.Len() == 1:
		return []string{fmt.Sprintf("%.1f", s.Mean()), ""}
	}
	return []string{fmt.Sprintf("%.1f", s.Mean()), fmt.Sprintf("± %.1f", s.Confidence(level))}
}

func lateText(s *stats.Sample, percentile float64) string {
	if s.Len() == 0 {
		return "-"
	}
	return fmt.Sprint(s.Percentile(percentile))
}

// shareText is a percentage and between what it lies.
func shareText(p stats.Proportion) []string {
	if p.Runs == 0 {
		return []string{"-", ""}
	}
	low, high := p.Wilson(level)
	return []string{fmt.Sprintf("%.2f", 100*p.Rate()), fmt.Sprintf("%.2f to %.2f", 100*low, 100*high)}
}

// jsonSummary is a row of the table with all its numbers.
type jsonSummary struct {
	Values     map[string]string `json:"values"`
	Runs       int               `json:"runs"`
	Messages   *jsonSample       `json:"messages,omitempty"`
	Coloring   *jsonSample       `json:"coloring,omitempty"`
	Quiescence *jsonSample       `json:"quiescence,omitempty"`
	Exit       *jsonSample       `json:"exit,omitempty"`
	Missed     *jsonSample       `json:"missed,omitempty"`
	Done       *jsonSample       `json:"done,omitempty"`
	RootExit   *jsonSample       `json:"root_exit,omitempty"`
	Gap        *jsonSample       `json:"gap,omitempty"`
	Correction *jsonSample       `json:"correction,omitempty"`
	Held       jsonShare         `json:"held"`
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

func jsonSummaries(c *campaigns.Campaign, all []campaigns.Summary, percentile float64) []jsonSummary {
	sample := func(s *stats.Sample) *jsonSample { return newJSONSample(s, percentile) }
	rows := make([]jsonSummary, len(all))
	for i := range all {
		s := &all[i]
		rows[i] = jsonSummary{
			Values: make(map[string]string), Runs: s.Runs,
			Messages: sample(&s.Messages), Coloring: sample(&s.Coloring),
			Quiescence: sample(&s.Quiescence), Exit: sample(&s.Exit), Done: sample(&s.Done), Missed: sample(&s.Missed),
			RootExit: sample(&s.RootExit), Gap: sample(&s.Gap), Correction: sample(&s.Correction),
			Held: newJSONShare(s.Held),
		}
		if s.Complete.Runs > 0 {
			complete := newJSONShare(s.Complete)
			rows[i].Complete = &complete
		}
		for k, axis := range c.Axes() {
			rows[i].Values[axis.Key] = s.Values[k]
		}
	}
	return rows
}

// newJSONSample is nil for an empty sample. A single value has no confidence.
func newJSONSample(s *stats.Sample, percentile float64) *jsonSample {
	if s.Len() == 0 {
		return nil
	}
	j := &jsonSample{Mean: s.Mean(), Median: s.Median(), P99: s.Percentile(99), Min: s.Min(), Max: s.Max()}
	if percentile != usualPercentile {
		j.Percentile = map[string]float64{fmt.Sprint(percentile): s.Percentile(percentile)}
	}
	if c := s.Confidence(level); !math.IsInf(c, 0) {
		j.Confidence = &c
	}
	return j
}

func newJSONShare(p stats.Proportion) jsonShare {
	low, high := p.Wilson(level)
	return jsonShare{p.Hits, p.Runs, [2]float64{low, high}}
}
