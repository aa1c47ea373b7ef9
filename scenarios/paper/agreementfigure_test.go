package paper

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// sampled runs an experiment on costs, with as many runs as documents have: all of it if nothing is left out, else as much as a function leaves
// on machines of up to 1,024 ranks.
func sampled(t *testing.T, name string, reduce func(c *campaign.Campaign)) *Result {
	t.Helper()
	if thorough.All() {
		e, err := Find(name)
		require.NoError(t, err)
		r, err := e.Run(t.Context(), Options{Folder: t.TempDir()})
		require.NoError(t, err)
		requireShown(t, r)
		return r
	}
	usual, err := readCampaign(name+"-faults", campaign.Usual)
	require.NoError(t, err)
	return reduced(t, name, usual.Runs, "sampled", func(c *campaign.Campaign) {
		shrink(c, 1024)
		reduce(c)
	})
}

// requireShown compares a figure with that of the documents. Other processors may round otherwise.
func requireShown(t *testing.T, r *Result) {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		return
	}
	shown, err := os.ReadFile("../../docs/pictures/" + r.Name + ".svg")
	require.NoError(t, err)
	var svg strings.Builder
	require.NoError(t, r.Drawing.Write(&svg, "svg"))
	require.True(t, string(shown) == svg.String(), "docs/pictures has another %s.svg", r.Name)
}

// keep leaves a campaign only some values of a key.
func keep(c *campaign.Campaign, key string, values ...string) {
	for i := range c.Sweep {
		if c.Sweep[i].Key == key {
			c.Sweep[i].Values = values
		}
	}
}

// requireCosts compares a table of costs with those of a document, which have messages and ticks in one cell.
func requireCosts(t *testing.T, document string, r *Result) {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + document)
	require.NoError(t, err)
	for _, row := range r.Table.Rows {
		fails, ranks, failed := row[0].(string), row[2].(int), row[3].(int)
		if row[1] != "messages" || fails != "nobody" && failed == 0 { // where nobody fails there is one row for all
			continue
		}
		cells := []string{thousands(ranks)}
		if fails != "nobody" {
			cells = []string{fails, fmt.Sprint(failed)}
		}
		for i, messages := range row[4:] {
			cells = append(cells, costCell(messages, cell(t, r, r.Table.Columns[4+i].Name, fails, "ticks", ranks, failed)))
		}
		line := regexp.MustCompile(`(?m)^\| ` + strings.Join(cells, ` \| `) + ` \|$`)
		require.True(t, line.Match(text), "%s has no line %s", document, line)
	}
}

// costCell is a pattern of a cell. What cannot be told may have been left out here.
func costCell(messages, ticks any) string {
	switch {
	case messages != nil:
		return thousands(int(messages.(float64))) + " in " + thousands(int(ticks.(float64)))
	case thorough.All():
		return "-"
	}
	return "[^|]+"
}

func TestCostsOfAgreementAreThoseOfTheDocument(t *testing.T) {
	r := sampled(t, "agreement", func(c *campaign.Campaign) {
		if c.Name == "agreement-faults" {
			keep(c, "faults", "crash:~2@t0", "crash:~12@step:call")
			keep(c, "agreement", "rounds", "era", "openmpi")
		}
	})
	requireReadable(t, r)
	requireCosts(t, "agreement.md", r)
}

func TestCostsOfRevocationAreThoseOfTheDocument(t *testing.T) {
	r := sampled(t, "revocation", func(c *campaign.Campaign) {
		switch c.Name {
		case "revocation-large":
			keep(c, "P", "8192")
		case "revocation-faults":
			keep(c, "revoke", "binomial")
		}
	})
	requireReadable(t, r)
	requireCosts(t, "agreement.md", r)
}

// Which is why the figure has Shrink by Open MPI's algorithm only.
func TestShrinkCostsWhatAgreeDoesUnlessItIsOpenMPIs(t *testing.T) {
	cost := func(op, agreement, words string) (messages int, done clock.Time) {
		run, err := catalog.ParseLine(fmt.Sprintf("ulfm op=%s agreement=%s %s", op, agreement, words))
		require.NoError(t, err)
		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		require.Equal(t, guarantee.Held, outcome.Verdict(), "%s", run)
		return int(outcome.Report.Messages), outcome.Completion.At
	}
	alike := func(agreement, words string) {
		agreed, agreedAt := cost("agree", agreement, words)
		shrunk, shrunkAt := cost("shrink", agreement, words)
		require.Equal(t, agreed, shrunk, "%s %s", agreement, words)
		require.InDelta(t, float64(agreedAt), float64(shrunkAt), 1, "%s %s", agreement, words)
	}
	for _, agreement := range []string{"rounds", "era", "mpich"} {
		for ranks := 2; ranks <= 1024; ranks *= 2 {
			alike(agreement, fmt.Sprint("P=", ranks))
		}
		alike(agreement, "P=512 faults=crash:~7@t0")
	}
	for _, agreement := range []string{"rounds", "era"} {
		alike(agreement, "P=512 faults=crash:~7@step:call")
		alike(agreement, "P=512 faults=crash:0@t40,crash:1@t48,crash:2@t56")
	}
	agreed, _ := cost("agree", "openmpi", "P=512")
	shrunk, _ := cost("shrink", "openmpi", "P=512")
	require.Equal(t, 4*agreed, shrunk)
}

// An algorithm that is not known to break must not, and one that does has nothing to show.
func TestWhatBreaksHasNoCost(t *testing.T) {
	held := func(_ string, p point) { p.Messages, p.Done = just(20), just(30) }
	broken := func(agreement string) filling {
		return func(name string, p point) {
			if name == "agreement-roots" && p.agreement() == agreement {
				p.Held = never
			}
		}
	}
	r := madeUp(t, "agreement", held, broken("mpich"))
	require.Nil(t, cell(t, r, "mpich", "roots", "ticks", 1024, 4))
	require.Nil(t, cell(t, r, "mpich", "roots", "messages", 1024, 4))
	require.Equal(t, 30.0, cell(t, r, "mpich", "before the call", "ticks", 1024, 4))
	require.Equal(t, 30.0, cell(t, r, "openmpi", "roots", "ticks", 1024, 4))

	waits := func(name string, p point) {
		if name == "agreement-faults" && p.agreement() == "openmpi Shrink" {
			p.Done = stats.Sample{}
		}
	}
	r = madeUp(t, "agreement", held, waits)
	require.Nil(t, cell(t, r, "openmpi Shrink", "at the call", "messages", 1024, 16))
	require.Equal(t, 20.0, cell(t, r, "openmpi Shrink", "roots", "messages", 1024, 16))

	var all []measured
	for _, name := range []string{"agreement-size", "agreement-faults", "agreement-roots"} {
		m := imagined(t, name, campaign.Quick)
		for _, p := range m.points {
			p.Held = always
			held(name, p)
			broken("era")(name, p)
		}
		all = append(all, m)
	}
	_, err := agreementFigure(all)
	require.ErrorContains(t, err, "paper: agreement-roots: a promise is broken: ulfm P=1024 L=2 o=1 agreement=era faults=crash:0@t40")
}

// Half of the runs are too few.
func TestACostIsThatOfMostRuns(t *testing.T) {
	p := point{Summary: &campaign.Summary{Runs: 4, Done: just(7, 7, 9), Held: stats.Proportion{Hits: 3, Runs: 4}, Messages: just(1, 2, 3, 4)}}
	require.Equal(t, 7.0, medianDone(p))
	require.Equal(t, 2.0, medianMessages(p))
	p.Held.Hits = 2
	require.True(t, math.IsNaN(medianDone(p)))
	p.Held.Hits, p.Done = 4, just(7, 7)
	require.True(t, math.IsNaN(medianMessages(p)))
}

// Each algorithm has the same number, and so the same colour, in all panels; two that cost the same everywhere are one.
func TestAlgorithmsLookTheSameInAllPanels(t *testing.T) {
	r := madeUp(t, "agreement", func(_ string, p point) {
		p.Done = just(float64(len(p.settings.Text("agreement"))))
		p.Messages = just(float64(p.ranks()))
		if p.settings.Text("op") == "shrink" {
			p.Messages = just(float64(p.ranks() * 4))
		}
	})
	sheet := r.Drawing.(figure.Sheet)
	require.Len(t, sheet.Figures, 6)
	for i, f := range sheet.Figures {
		var names []string
		for _, s := range f.Series {
			names = append(names, fmt.Sprint(s.Of, " ", s.Name))
		}
		require.Equal(t, []string{"1 rounds", "2 era", "3 openmpi", "4 openmpi Shrink", "5 mpich"}, names, i)
		require.Equal(t, i < 3, f.Legend == figure.None)
	}
	r = madeUp(t, "agreement", func(_ string, p point) {
		p.Done = just(map[string]float64{"rounds": 5, "era": 6, "openmpi": 6, "openmpi Shrink": 20, "mpich": 90}[p.agreement()])
		p.Messages = just(8)
	})
	for _, f := range r.Drawing.(figure.Sheet).Figures {
		var names []string
		for _, s := range f.Series {
			names = append(names, s.Name)
			require.NotEmpty(t, s.Points)
		}
		require.Equal(t, []string{"rounds", "era and openmpi", "openmpi Shrink", "mpich"}, names)
	}
}
