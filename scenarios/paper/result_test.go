package paper

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// The tests of verdicts run nothing. They make up numbers with which all claims hold, and then change some
// of them so that a claim falls.

// filling puts numbers into a point of a campaign.
type filling func(campaign string, p point)

// linesRead are campaigns by name and size. Many tests want the same one, and the lines of large machines take time to read.
var linesRead = map[string]measured{}

// imagined is a campaign with one run of each point, of which nothing is known.
func imagined(t *testing.T, name string, size campaign.Size) measured {
	t.Helper()
	key := fmt.Sprint(name, " ", size)
	read, ok := linesRead[key]
	if !ok {
		c, err := readCampaign(name, size)
		require.NoError(t, err)
		read, err = newMeasured(c, slices.Repeat([]campaign.Summary{{Runs: 1}}, c.Points()))
		require.NoError(t, err)
		linesRead[key] = read
	}
	m := measured{Campaign: read.Campaign}
	for i, p := range read.points {
		m.points = append(m.points, point{&campaign.Summary{Point: i, Values: m.ValuesOf(i), Runs: 1}, p.settings})
	}
	return m
}

// madeUp is an experiment with numbers that functions put into the points of its campaigns, one after the other.
func madeUp(t *testing.T, name string, fill ...filling) *Result {
	t.Helper()
	e, err := Find(name)
	require.NoError(t, err)
	var all []measured
	for _, name := range e.Campaigns {
		m := imagined(t, name, campaign.Quick)
		for _, p := range m.points {
			p.Held, p.Complete, p.Missed = always, always, just(0)
			for _, f := range fill {
				f(name, p)
			}
		}
		all = append(all, m)
	}
	r, err := e.evaluate(all)
	require.NoError(t, err)
	return r
}

// just is a sample of these values.
func just(values ...float64) (s stats.Sample) {
	s.Add(values...)
	return s
}

var (
	always = stats.Proportion{Hits: 1, Runs: 1}
	never  = stats.Proportion{Hits: 0, Runs: 1}
)

// falling are the claims that do not hold.
func falling(claims []Claim) []string {
	names := []string{}
	for _, c := range claims {
		if !c.Holds {
			names = append(names, c.What)
		}
	}
	return names
}

// spoiled is a change after which the claims fall that it names, and no others.
type spoiled struct {
	change filling
	falls  []string
}

// requireVerdicts makes sure that all claims hold, and after each change all but those that it names. Every
// claim must fall once, but for some.
func requireVerdicts(t *testing.T, name string, base filling, changes []spoiled, constant ...string) {
	t.Helper()
	r := madeUp(t, name, base)
	require.Subset(t, constant, falling(r.Claims), "%s: all claims hold", name)
	fell := make(map[string]bool)
	for _, what := range constant {
		fell[what] = true
	}
	for i, s := range changes {
		require.ElementsMatch(t, s.falls, falling(without(madeUp(t, name, base, s.change).Claims, constant)), "%s: change %d", name, i)
		for _, what := range s.falls {
			fell[what] = true
		}
	}
	for _, c := range r.Claims {
		require.True(t, fell[c.What], "%s: %q always holds", name, c.What)
	}
}

// without leaves out claims by their words.
func without(claims []Claim, words []string) (rest []Claim) {
	for _, c := range claims {
		if !slices.Contains(words, c.What) {
			rest = append(rest, c)
		}
	}
	return rest
}

func TestAResultSaysWhatDiffers(t *testing.T) {
	r := Result{
		Name: "x", Note: "a machine", Foot: "a word",
		Table:  Table{Columns: []Column{{Name: "P"}}, Rows: [][]any{{7}}},
		Claims: []Claim{{What: "height", Paper: "3", Ours: "3", Holds: true}, {What: "width", Paper: "4", Ours: "5"}},
	}
	require.Equal(t, "a machine\n\nP\n7\n\n        paper  ours\nheight      3     3\nwidth       4     5  differs\n\na word\n", r.Text())
	text, err := json.Marshal(&r)
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"x","note":"a machine","rows":[{"P":7}],"foot":"a word","claims":[
		{"what":"height","paper":"3","ours":"3","holds":true},{"what":"width","paper":"4","ours":"5","holds":false}]}`, string(text))
}

func TestAResultIsSavedAsTableAndPictures(t *testing.T) {
	folder := t.TempDir()
	r := Result{Table: Table{Columns: []Column{{Name: "x"}}, Rows: [][]any{{1.5}}}, Drawing: figure.Figure{
		Title: "T", Series: []figure.Series{{Points: []figure.Point{{X: 1, Y: 2}, {X: 2, Y: 3}}}},
	}}
	require.NoError(t, r.Save(folder, "some"))
	for name, begins := range map[string]string{"some.csv": "x\n1.5\n", "some.svg": "<?xml", "some.png": "\x89PNG"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		require.Equal(t, begins, string(text[:len(begins)]))
	}
	require.Error(t, r.Save(filepath.Join(folder, "none"), "some"))
}

// undrawable cannot be drawn in some format.
type undrawable string

func (u undrawable) Write(_ io.Writer, format string) error {
	if format == string(u) {
		return fmt.Errorf("no %s", format)
	}
	return nil
}

func TestWhatCannotBeSavedIsAnError(t *testing.T) {
	for _, format := range []string{"svg", "png"} {
		require.ErrorContains(t, (&Result{Drawing: undrawable(format)}).Save(t.TempDir(), "some"), "no "+format)
	}
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "some.csv"), 0o777))
	require.Error(t, (&Result{Drawing: undrawable("")}).Save(folder, "some"))
	require.NoFileExists(t, filepath.Join(folder, "some.svg"))
}

// made is a campaign whose points were not measured but made up.
func made(t *testing.T, name string, fill func(p point, s *campaign.Summary)) measured {
	t.Helper()
	m := imagined(t, name, campaign.Usual)
	for _, p := range m.points {
		fill(p, p.Summary)
	}
	return m
}

// verdict evaluates what was made up, and returns what became of a claim.
func verdict(t *testing.T, name, what string, all ...measured) Claim {
	t.Helper()
	e, err := Find(name)
	require.NoError(t, err)
	r, err := e.evaluate(all)
	require.NoError(t, err)
	requirePicture(t, r)
	return claim(t, r, what)
}
