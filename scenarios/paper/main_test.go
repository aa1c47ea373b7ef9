package paper

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// folder keeps results, so that experiments that share a campaign share it here, too.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "mangrove-paper-"); err != nil {
		panic(err)
	}
	status := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// small runs an experiment on machines of up to 4,096 ranks, with the same share of failures.
func small(t *testing.T, name string, runs int) *Result {
	t.Helper()
	return upTo(t, 4096, name, runs)
}

// upTo does so on machines of up to so many ranks.
func upTo(t *testing.T, ranks int, name string, runs int) *Result {
	t.Helper()
	return reduced(t, name, runs, fmt.Sprint("ranks", ranks), func(c *campaign.Campaign) { shrink(c, ranks) })
}

// moderate is how large machines are for what takes long on larger ones and shows on smaller ones, too.
func moderate() int {
	if thorough.All() {
		return 4096
	}
	return 1024
}

// evaluated runs an experiment with few runs, and with up to so many values of each swept key.
func evaluated(t *testing.T, name string, runs, values int) *Result {
	t.Helper()
	return reduced(t, name, runs, fmt.Sprint("values", values), func(c *campaign.Campaign) {
		for i := range c.Sweep {
			c.Sweep[i].Values = c.Sweep[i].Values[:min(values, len(c.Sweep[i].Values))]
		}
	})
}

// reduced runs an experiment with few runs of campaigns that a function makes smaller, in some way that
// has a name.
func reduced(t *testing.T, name string, runs int, way string, reduce func(*campaign.Campaign)) *Result {
	t.Helper()
	e, err := Find(name)
	require.NoError(t, err)
	var all []measured
	for _, name := range e.Campaigns {
		c, err := readCampaign(name, campaign.Quick)
		require.NoError(t, err)
		if c.Full > 1 {
			c.Runs = runs
		}
		reduce(c)
		file := filepath.Join(folder, fmt.Sprintf("%s-%s-%d.ndjson", name, way, runs))
		require.NoError(t, c.Run(t.Context(), file, campaign.Options{}))
		c, points, err := campaign.Summarize(catalog.All(), file)
		require.NoError(t, err)
		m, err := newMeasured(c, points)
		require.NoError(t, err)
		all = append(all, m)
	}
	r, err := e.evaluate(all)
	require.NoError(t, err)
	requirePicture(t, r)
	return r
}

// shrink takes machines out of a campaign that are larger.
func shrink(c *campaign.Campaign, most int) {
	fewer := false
	smaller := func(line string) string {
		shorter := strings.Replace(line, "P=65536", "P=1024", 1)
		fewer = fewer || shorter != line
		return shorter
	}
	c.Line, c.Lines = smaller(c.Line), slices.Clone(c.Lines)
	for i := range c.Lines {
		c.Lines[i] = smaller(c.Lines[i])
	}
	for i, axis := range c.Sweep {
		c.Sweep[i].Values = slices.Clone(axis.Values)
		for k, value := range axis.Values {
			var n int
			if _, err := fmt.Sscanf(value, "crash:~%d", &n); err == nil && fewer {
				c.Sweep[i].Values[k] = fmt.Sprintf("crash:~%d", max(1, n/64))
			}
		}
		if axis.Key == "P" {
			c.Sweep[i].Values = slices.DeleteFunc(c.Sweep[i].Values, func(value string) bool {
				var ranks int
				_, err := fmt.Sscanf(value, "%d", &ranks)
				return err == nil && ranks > most
			})
		}
	}
}

// requirePicture makes sure that the result can be drawn, with the names of its series.
func requirePicture(t *testing.T, r *Result) {
	t.Helper()
	var svg strings.Builder
	require.NoError(t, r.Drawing.Write(&svg, "svg"))
	require.Contains(t, svg.String(), "</svg>")
}

// claim finds a claim by its words. By what it was judged is in testdata/results.golden.
func claim(t *testing.T, r *Result, what string) Claim {
	t.Helper()
	for _, c := range r.Claims {
		if c.What == what {
			c.checks = nil
			return c
		}
	}
	require.Fail(t, "no such claim", "%q in\n%s", what, r.Text())
	return Claim{}
}

// cell finds a number: that of a column in the row that begins so.
func cell(t *testing.T, r *Result, column string, begin ...any) any {
	t.Helper()
	for _, row := range r.Table.Rows {
		if !slices.Equal(row[:len(begin)], begin) {
			continue
		}
		for i, c := range r.Table.Columns {
			if c.Name == column {
				return row[i]
			}
		}
	}
	require.Fail(t, "no such cell", "%s of %v in\n%s", column, begin, r.Table.Text())
	return nil
}

// requireInDocument compares the lines of a table, or of a whole result, with those of a document, which may have more of them
// and so wider columns.
func requireInDocument(t *testing.T, document, table string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + document)
	require.NoError(t, err)
	lines := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		lines[strings.Join(strings.Fields(line), " ")] = true
	}
	for line := range strings.Lines(table) {
		line = strings.Join(strings.Fields(line), " ")
		require.True(t, lines[line], "%s does not have the line %q", document, line)
	}
}

// requireReadable draws a result and makes sure that its text is not too wide.
func requireReadable(t *testing.T, r *Result) {
	t.Helper()
	requirePicture(t, r)
	for line := range strings.Lines(r.Text()) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 100, line)
	}
}

// verdicts are the claims that hold, and those that do not.
func verdicts(r *Result) map[string]bool {
	all := make(map[string]bool)
	for _, c := range r.Claims {
		all[c.What] = c.Holds
	}
	return all
}

// column are the cells of a column.
func column[T any](t *testing.T, r *Result, name string) (cells []T) {
	t.Helper()
	for i, c := range r.Table.Columns {
		if c.Name != name {
			continue
		}
		for _, row := range r.Table.Rows {
			cell, ok := row[i].(T)
			require.True(t, ok, "%s: %v is a %T", name, row[i], row[i])
			cells = append(cells, cell)
		}
	}
	require.NotEmpty(t, cells, name)
	return cells
}
