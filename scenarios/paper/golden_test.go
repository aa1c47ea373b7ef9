package paper

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

var update = flag.Bool("update", false, "write testdata/results.golden anew; then read the difference")

// firstAlike is the first seed with which points have one of two values, so that many are alike.
const firstAlike = 5

// randomly fills a point with numbers that depend on its line and a seed only. They are small, so that some are equal.
func randomly(seed uint64) filling {
	return func(name string, p point) {
		h := fnv.New64a()
		fmt.Fprint(h, name, p.Point)
		random := rand.New(rand.NewPCG(seed, h.Sum64()))
		base := 10 + random.IntN(40)
		for i, s := range []*stats.Sample{&p.Messages, &p.Colouring, &p.Quiescence, &p.Exit, &p.Done, &p.RootExit} {
			*s = stats.Sample{}
			if seed >= firstAlike {
				s.AddTimes(float64(20*(1+random.IntN(2))), 5)
				continue
			}
			for range 40 {
				s.Add(float64(base + 4*i + random.IntN(60)))
			}
		}
		p.Runs, p.Missed = 5, just(0, 0, 0, float64(random.IntN(2)), float64(random.IntN(3)))
		p.Held, p.Complete = stats.Proportion{Hits: 5 - random.IntN(2), Runs: 5}, stats.Proportion{Hits: 20 * (3 + random.IntN(3)), Runs: 100}
		if strings.HasPrefix(name, "collective") {
			p.Held = always // or there would be no result
		}
		if (strings.HasPrefix(name, "agreement") || strings.HasPrefix(name, "revocation")) && p.standsAll() {
			p.Held.Hits = p.Held.Runs // the same
		}
		p.Gap, p.Correction = stats.Sample{}, stats.Sample{}
		seen := make(map[campaign.GapTime]int)
		for range 5 {
			gap := random.IntN(4) * random.IntN(5)
			low, high := lemma3(gap)
			seen[campaign.GapTime{Gap: gap, Took: low + clock.Time(random.IntN(int(high-low)+1))}]++
		}
		corrected(p.Summary, seen)
	}
}

// described is a drawing in words. Numbers have so many digits that all processors agree on them.
func described(d Drawing) string {
	var b strings.Builder
	switch d := d.(type) {
	case figure.Sheet:
		fmt.Fprintf(&b, "sheet %q, %q, %d columns\n", d.Title, d.Note, d.Columns)
		for _, f := range d.Figures {
			b.WriteString(described(f))
		}
	case figure.Figure:
		fmt.Fprintf(&b, "figure %q, %q, legend %d\nx %s\ny %s\n", d.Title, d.Note, d.Legend, inWords(d.X), inWords(d.Y))
		for _, s := range d.Series {
			fmt.Fprintf(&b, "series %q of %d, style %d, dashed %v:", s.Name, s.Of, s.Style, s.Dashed)
			for _, p := range s.Points {
				fmt.Fprintf(&b, " %.6v", p)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func inWords(a figure.Axis) string {
	return fmt.Sprintf("%q, log %.6v, from %.6v to %.6v, names %q", a.Label, a.Log, a.Min, a.Max, a.Names)
}

// judgedBy is by what claims are judged: numbers that were found, and where they must lie, with all digits.
func judgedBy(claims []Claim) string {
	var b strings.Builder
	for _, c := range claims {
		fmt.Fprintf(&b, "%s:", c.What)
		for _, k := range c.checks {
			fmt.Fprintf(&b, " %.6v in %v", *k.found, *k.allowed)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// randomViews are those of made-up times of a few ticks.
func randomViews(seed uint64) *Result {
	random := rand.New(rand.NewPCG(seed, 1))
	some := func() clock.Time { return clock.Time(1 + random.IntN(9)) }
	all := viewsOfTheThesis()
	for i := range all {
		for _, s := range []*catalog.Stabilization{&all[i].single, &all[i].torus} {
			s.Height, s.Measured, s.Base, s.Distance = random.IntN(9), some(), some(), some()
			s.Items = model.Items{Levels: random.IntN(9), Overheads: some(), Waits: some()}
		}
	}
	return stabilizationResult(all)
}

// randomQueries are those of made-up times of a few seconds.
func randomQueries(seed uint64) *Result {
	random := rand.New(rand.NewPCG(seed, 2))
	all := queriesOfTheThesis()
	for _, q := range all {
		for _, way := range queryWays {
			if _, known := q.took[way]; known || way == replicas {
				q.took[way] = float64(1 + random.IntN(9))
			}
		}
	}
	return queryResult(scaledQuery, all)
}

// ofRandomNumbers is the result of an experiment of made-up numbers.
func ofRandomNumbers(t *testing.T, name string, seed uint64) *Result {
	t.Helper()
	switch name {
	case "membership-bgl":
		return randomViews(seed)
	case "tpch-q3":
		return randomQueries(seed)
	}
	if e, err := Find(name); err == nil && e.Engine {
		random := rand.New(rand.NewPCG(seed, 3))
		some := func() float64 { return float64(1 + random.IntN(9)) }
		return (&jobs{t: t, took: func(Job, string) (ours, native float64) { return some(), some() }}).result(name)
	}
	return madeUp(t, name, randomly(seed))
}

// Of the same numbers everything is made as it was: tables, claims and figures. That those are right was seen when the golden
// file was written; many are in docs/reproducing.md.
func TestResultsOfTheSameNumbersAreAsBefore(t *testing.T) {
	const golden = "testdata/results.golden"
	var b strings.Builder
	for _, name := range Names() {
		r := ofRandomNumbers(t, name, 0)
		fmt.Fprintf(&b, "== %s\n%s\n%s\n%s\n", name, r.Text(), judgedBy(r.Claims), described(r.Drawing))
		for seed := uint64(1); seed <= 8; seed++ {
			r := ofRandomNumbers(t, name, seed)
			for _, c := range r.Claims {
				fmt.Fprintf(&b, "%v %s\n", c.Holds, c.Ours)
			}
			if seed == firstAlike {
				fmt.Fprintf(&b, "%s\n%s\n", r.Foot, described(r.Drawing))
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}
