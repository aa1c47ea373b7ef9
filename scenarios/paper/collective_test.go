package paper

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// The averages of docs/collectives.md. Of the thesis' factors that of the reduce is the only one that is
// not near.
func TestAveragesOfToleranceAreThoseOfTheThesisButForReduce(t *testing.T) {
	r := evaluated(t, "collectives", 1, 8) // up to 128 ranks, as in the thesis
	want := map[string]string{"broadcast": "4.25", "scatter": "4.25", "gather": "4.09", "reduce": "4.09"}
	for _, c := range r.Claims {
		op, _, average := strings.Cut(c.What, ":")
		if !average {
			require.Equal(t, Claim{What: "an agreement over a broadcast of one number", Paper: "more than 1", Ours: "2.00", Holds: true}, c)
			continue
		}
		require.Equal(t, want[op], c.Ours, op)
		require.Equal(t, op != "reduce", c.Holds, op)
		delete(want, op)
	}
	require.Empty(t, want)
	require.Contains(t, r.Foot, "alltoall: 2.40")
	requireInDocument(t, r)
	requireReadable(t, r)
}

// Two agreements are twice up and down the tree, an operation is once up or down.
func TestToleranceTakesFiveTimesAsManyMessages(t *testing.T) {
	r := evaluated(t, "collectives", 1, 6)
	for _, row := range r.Table.Rows {
		op, ranks, messages := row[0], row[1], row[len(row)-1]
		switch {
		case ranks == 1:
			require.Nil(t, messages, "there are none to compare with")
		case op != "alltoall":
			require.Equal(t, 5.0, messages, "%v on %v ranks", op, ranks)
		}
	}
}

// To the nanosecond.
func TestWhatToleranceAddsDoesNotDependOnTheSizeOfMessages(t *testing.T) {
	r := evaluated(t, "collective-size", 1, 6)
	require.Equal(t, []Claim{{What: "what tolerance adds, us", Paper: "almost constant", Ours: "35.8", Holds: true}}, r.Claims)
	for _, name := range []string{"adds", "optimistic adds"} {
		added := column[float64](t, r, name)
		for _, x := range added {
			require.InDelta(t, added[0], x, 1e-6, name)
		}
	}
	requireReadable(t, r)
}

// With long blocks an all-to-all takes little more than its bytes, and tolerance adds next to nothing.
func TestLongBlocksTakeAsLongAsTheirBytes(t *testing.T) {
	r := evaluated(t, "collective-4mb", 1, 5)
	for _, x := range column[float64](t, r, "plain/least") {
		require.GreaterOrEqual(t, x, 1.0)
		require.Less(t, x, 1.02)
	}
	for _, x := range column[float64](t, r, "tolerant/plain") {
		require.Greater(t, x, 1.0)
		require.Less(t, x, 1.01)
	}
	for i, bytes := range column[int](t, r, "block, bytes") {
		require.Equal(t, 4<<20, bytes*column[int](t, r, "P")[i])
	}
	requireInDocument(t, r)
	requireReadable(t, r)
}

// Optimistic operations keep no backups while nobody fails; if the root fails late, backups pay for
// tolerant ones and come too late for optimistic ones.
func TestBackupsPayIfTheRootFailsLate(t *testing.T) {
	r := evaluated(t, "collective-reduce", 1, allValues)
	require.Equal(t, map[string]bool{"nobody fails: optimistic over tolerant": true, "nobody fails: optimistic over plain": false}, verdicts(r))
	late := 0
	for i, failure := range column[string](t, r, "failure") {
		took := func(way string) float64 { return column[float64](t, r, way)[i] }
		if failure == "none" {
			require.Equal(t, took(optimistic), took(optimisticBackups))
			require.LessOrEqual(t, took(tolerant), took(tolerantBackups))
			continue
		}
		late++
		require.Less(t, took(tolerantBackups), took(tolerant))
		require.Greater(t, took(optimisticBackups), took(optimistic))
		require.Less(t, took(plain), took(tolerantBackups))
	}
	require.Equal(t, 9, late)
	requireReadable(t, r)
}

func TestARunWithoutAResultIsAnError(t *testing.T) {
	c, err := campaign.Parse("name = \"lost\"\nline = \"collective op=reduce P=4 strategy=plain faults=crash:2@step:exchange\"\nruns = 1")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "lost")
	require.NoError(t, c.Run(t.Context(), file, campaign.Options{}))
	c, points, err := campaign.Summarize(file)
	require.NoError(t, err)
	m, err := newMeasured(c, points)
	require.NoError(t, err)
	_, err = ofResults(nil)([]measured{m})
	require.ErrorContains(t, err, "paper: lost: no result, or a wrong one: collective op=reduce P=4 strategy=plain")
}

// requireInDocument compares the rows of a table with those in docs/collectives.md, which has more of them
// and so may have wider columns.
func requireInDocument(t *testing.T, r *Result) {
	t.Helper()
	text, err := os.ReadFile("../../docs/collectives.md")
	require.NoError(t, err)
	lines := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		lines[strings.Join(strings.Fields(line), " ")] = true
	}
	for line := range strings.Lines(r.Table.Text()) {
		line = strings.Join(strings.Fields(line), " ")
		require.True(t, lines[line], "docs/collectives.md does not have the row %q", line)
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
