package conformance_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/ulfm/conformance"
)

var update = flag.Bool("update", false, "write the table of docs/ulfm-conformance.md anew, with -thorough; then read the difference")

const document = "../../../docs/ulfm-conformance.md"

// titles are those of the suites, in their order.
var titles = []struct {
	suite conformance.Suite
	title string
}{
	{conformance.MPICH, "MPICH, test/mpi/ft"},
	{conformance.API, "ICL, api"},
	{conformance.Stress, "ICL, stress"},
	{conformance.Tutorial, "ICL, tutorial"},
	{conformance.Exercise, "ICL, exercises of the tutorial"},
	{conformance.Tasks, "ICL, bag of tasks"},
	{conformance.Jacobi, "ICL, Jacobi"},
	{conformance.More, "Neighbours of these"},
}

// The table of docs/ulfm-conformance.md is what cases say and what has become of them. How many schedules there are is
// counted each time; in how many of them a run was aborted or ranks differed only if nothing is left out.
func TestTheTableIsWhatHasBecomeOfTheCases(t *testing.T) {
	t.Run("explore", func(t *testing.T) {
		eachCase(t, func(t *testing.T, l *lab) { explored(t, l) })
	})
	var table strings.Builder
	for _, s := range titles {
		fmt.Fprintf(&table, "### %s\n\n| case | ranks | what it checks | %s | %s | %s | explored | |\n|---|---|---|---|---|---|---|---|\n",
			s.title, detectors[0].name, detectors[1].name, detectors[2].name)
		for _, c := range conformance.Cases {
			if c.Suite == s.suite {
				table.WriteString(row(t, c))
			}
		}
		table.WriteString("\n")
	}
	requireTable(t, table.String())
}

// requireTable compares a table with that of the document, or writes it there.
func requireTable(t *testing.T, want string) {
	t.Helper()
	const (
		begin = "<!-- Written by: go test ./protocols/ulfm/conformance -run TheTable -thorough -update -->\n\n"
		end   = "<!-- End of the table. -->\n"
	)
	all, err := os.ReadFile(document)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(all), begin)
	require.True(t, found, "no line %s", begin)
	table, after, found := strings.Cut(rest, end)
	require.True(t, found, "no line %s", end)
	if *update {
		require.NotContains(t, want, unknown, "-update needs -thorough")
		require.NoError(t, os.WriteFile(document, []byte(before+begin+want+end+after), 0o666))
		return
	}
	wantLines, lines := strings.Split(want, "\n"), strings.Split(table, "\n")
	require.Len(t, lines, len(wantLines), "run with -thorough -update to rewrite the table")
	for i, line := range wantLines {
		pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(line), regexp.QuoteMeta(unknown), "[0-9,]+") + "$"
		require.Regexp(t, pattern, lines[i], "run with -thorough -update to rewrite the table")
	}
}

// unknown is a number that takes all schedules.
const unknown = "(?)"

var endingNames = map[conformance.Ending]string{
	conformance.Completes: "pass", conformance.Aborts: "aborts", conformance.Deadlocks: "deadlock", conformance.NeverEnds: "never ends",
}

// row is what the table has of a case.
func row(t *testing.T, c *conformance.Case) string {
	t.Helper()
	var cells []string
	sum := finding{complete: true}
	for _, d := range detectors {
		f := explored(t, newLab(t, c, d))
		require.NoError(t, f.wrong, "%s/%s, %s", c.Suite, c.Name, d.name)
		cells = append(cells, endingNames[f.asItIs])
		sum.schedules += f.schedules
		sum.aborted += f.aborted
		sum.different += f.different
		sum.complete = sum.complete && f.complete
	}
	return fmt.Sprintf("| `%s/%s` | %d | %s | %s | %s | %s |\n",
		c.Suite, c.Name, c.Ranks, c.Checks, strings.Join(cells, " | "), sum.explored(c), remarks(c))
}

// explored says how many schedules there are, and in how many of them what happens that need not.
func (f *finding) explored(c *conformance.Case) string {
	of := func(n int, what string) string {
		number := unknown
		if f.complete {
			number = thousands(n)
		}
		return fmt.Sprintf("%s, of which %s %s", thousands(f.schedules), number, what)
	}
	switch {
	case c.Explored.None:
		return "no"
	case c.Explored.Fatal:
		return of(f.aborted, "abort")
	case c.Ending == conformance.Aborts:
		return thousands(f.schedules) + ", all abort"
	case c.Ending == conformance.Differs:
		return of(f.different, "leave some ranks without the communicator")
	}
	return thousands(f.schedules)
}

func thousands(n int) string { return text.Thousands(strconv.Itoa(n)) }

// remarks are what is worth saying of a case.
func remarks(c *conformance.Case) string {
	var all []string
	add := func(begin, what string) {
		if what != "" {
			all = append(all, begin+what)
		}
	}
	add("shown: ", c.Wrong)
	add("", c.Differs)
	if x := c.Explored; x.Only != nil {
		var ranks []string
		for _, rank := range x.Only {
			ranks = append(ranks, strconv.Itoa(rank))
		}
		add(fmt.Sprintf("explored are failures of %s: ", text.List(ranks)), x.Why)
	} else {
		add("", x.Why)
	}
	return strings.Join(all, "; ")
}

func TestEveryCaseIsInTheTableOnce(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range conformance.Cases {
		name := string(c.Suite) + "/" + c.Name
		require.False(t, seen[name], name)
		seen[name] = true
		require.NotEmpty(t, c.Checks, name)
		if c.Explored.Only != nil || c.Explored.None || c.Explored.Fatal {
			require.NotEmpty(t, c.Explored.Why, name)
		}
		if c.Ending >= conformance.Deadlocks {
			require.NotEmpty(t, c.Wrong, name)
		}
	}
	counts := make(map[conformance.Suite]int)
	for _, c := range conformance.Cases {
		counts[c.Suite]++
	}
	require.Equal(t, map[conformance.Suite]int{
		conformance.MPICH: 22, conformance.API: 14, conformance.Stress: 6, conformance.Tutorial: 15, conformance.Exercise: 7,
		conformance.Tasks: 6, conformance.Jacobi: 2, conformance.More: 7,
	}, counts, "as many as the suites have")
}
