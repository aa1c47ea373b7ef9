package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

const answerColumns = "l_orderkey|revenue|o_orderdate|o_shippriority"

// reportedRows are the rows of the answer in a report, or in its JSON.
func reportedRows(t *testing.T, report string) []string {
	t.Helper()
	if strings.HasPrefix(report, "{") {
		return jsonRows(t, report)
	}
	_, rest, found := strings.Cut(report, "\n\n"+answerColumns)
	require.True(t, found, report)
	text, _, _ := strings.Cut(rest, "\n\n")
	return lines(strings.TrimPrefix(text, "\n"))
}

func jsonRows(t *testing.T, report string) (rows []string) {
	t.Helper()
	var outcome struct {
		Answer []struct {
			Order    json.Number `json:"l_orderkey"`
			Revenue  json.Number `json:"revenue"`
			Date     string      `json:"o_orderdate"`
			Priority json.Number `json:"o_shippriority"`
		} `json:"answer"`
	}
	require.NoError(t, json.Unmarshal([]byte(report), &outcome))
	for _, r := range outcome.Answer {
		rows = append(rows, strings.Join([]string{r.Order.String(), r.Revenue.String(), r.Date, r.Priority.String()}, "|"))
	}
	return rows
}

// lines are those of a text; none if it is empty.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// needSQLite says where sqlite3 is. Tests that leave nothing out fail without it.
func needSQLite(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("sqlite3")
	if err != nil && thorough.All() {
		t.Fatal("no sqlite3 in PATH, which -thorough needs:", err)
	}
	if err != nil {
		t.Skip("no sqlite3 in PATH, to answer the query as we do:", err)
	}
	return path
}

// askSQLite runs a script in a folder, and returns the rows of its answer.
func askSQLite(t *testing.T, sqlite, folder, script string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), sqlite)
	cmd.Dir, cmd.Stdin = folder, strings.NewReader(script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	require.Empty(t, stderr.String())
	text := string(out)
	if text == "" { // sqlite names no columns of no rows
		return nil
	}
	rows, found := strings.CutPrefix(text, answerColumns+"\n")
	require.True(t, found, text)
	return lines(rows)
}

func readScript(t *testing.T, folder string) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(folder, "query3.sql"))
	require.NoError(t, err)
	return string(script)
}

// inWordsOfTheSpecification is a script whose query is that of TPC-H's section 2.4.3, on floating-point numbers. What is added up in another order
// differs by much less than what is shown, and so does not count.
func inWordsOfTheSpecification(script, segment, date string) string {
	tables, _, _ := strings.Cut(script, "-- Revenue")
	tables = strings.ReplaceAll(tables, "l_extendedprice text, l_discount text", "l_extendedprice real, l_discount real")
	return tables + strings.NewReplacer("[SEGMENT]", segment, "[DATE]", date).Replace(`
select l_orderkey, printf('%.4f', sum(l_extendedprice * (1 - l_discount))) as revenue, o_orderdate, o_shippriority
from customer, orders, lineitem
where c_mktsegment = '[SEGMENT]' and c_custkey = o_custkey and l_orderkey = o_orderkey
  and o_orderdate < '[DATE]' and l_shipdate > '[DATE]'
group by l_orderkey, o_orderdate, o_shippriority
order by round(sum(l_extendedprice * (1 - l_discount)), 4) desc, o_orderdate, l_orderkey
limit 10;
`)
}

// queryCase is a line of the query, and how many rows its answer has.
type queryCase struct {
	segment, date string
	rows          int
	words         string
}

// anyQueryCase is a case in which some ranks fail anywhere. There are more than ten orders of any segment before such dates.
func anyQueryCase(seed uint64) queryCase {
	random := rand.New(rand.NewPCG(seed, 3))
	any := func(words ...string) string { return words[random.IntN(len(words))] }
	c := queryCase{segment: any(tpch.SegmentNames()...), date: any("1993-06-01", "1995-03-15", "1997-11-30"), rows: 10}
	c.words = fmt.Sprintf("P=%d sf=%.4f seed=%d segment=%s date=%s strategy=%s faults=crash:~%d@%s", 4+random.IntN(13), 0.003+0.01*random.Float64(), random.Uint64(),
		c.segment, c.date, any("tolerant", "optimistic", "restart"), 1+random.IntN(3), any("t0", "send2", "recv3", "step:gather", "step:alltoallv", "step:reduce"))
	return c
}

// Whoever fails, and however the query gets to its answer, a database has the same.
func TestSQLiteAnswersTheQueryAsRunsDo(t *testing.T) {
	sqlite := needSQLite(t)
	cases := []queryCase{
		{"BUILDING", "1995-03-15", 10, "P=4 sf=0.01"},
		{"BUILDING", "1995-03-15", 10, "P=1 sf=0.02 seed=3"},
		{"AUTOMOBILE", "1995-03-15", 10, "P=7 sf=0.005 seed=1 segment=automobile faults=crash:3@step:gather"},
		{"FURNITURE", "1995-03-15", 10, "P=8 sf=0.005 seed=2 segment=FURNITURE faults=crash:0@step:broadcast"},
		{"MACHINERY", "1992-04-01", 10, "P=5 sf=0.005 seed=18446744073709551615 segment=MACHINERY date=1992-04-01 faults=crash:2@step:alltoallv,crash:4@step:repair"},
		{"HOUSEHOLD", "1998-08-02", 10, "P=16 sf=0.005 seed=5 segment=HOUSEHOLD date=1998-08-02 faults=crash:~5@t30"},
		{"BUILDING", "1996-02-29", 10, "P=9 sf=0.0053 seed=6 date=1996-02-29 strategy=optimistic backup=all faults=crash:0@step:reduce"},
		{"BUILDING", "1995-03-15", 10, "P=6 sf=0.004 seed=7 strategy=restart faults=crash:1@step:reduce"},
		{"BUILDING", "1995-03-15", 1, "P=4 sf=0.0002 faults=crash:1"},
		{"BUILDING", "1992-01-01", 0, "P=3 sf=0.001 date=1992-01-01"},
	}
	if thorough.All() {
		for seed := range uint64(40) {
			cases = append(cases, anyQueryCase(seed))
		}
	}
	for _, c := range cases {
		t.Run(c.words, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "tables")
			got := mangrove(append([]string{"run", "tpch-q3", "--export", folder}, strings.Fields(c.words)...)...)
			require.Zero(t, got.status, got.stdout+got.stderr)
			ours := reportedRows(t, got.stdout)
			require.Len(t, ours, c.rows)
			require.Equal(t, ours, reportedRows(t, mangrove(append([]string{"run", "tpch-q3", "--json"}, strings.Fields(c.words)...)...).stdout))
			script := readScript(t, folder)
			require.Equal(t, askSQLite(t, sqlite, folder, script), ours)
			require.Equal(t, askSQLite(t, sqlite, folder, inWordsOfTheSpecification(script, c.segment, c.date)), ours)
		})
	}
}

// Tables in which one digit is another, or a row is missing, have another answer: the comparison notices both.
func TestSQLiteSeesACentAndARow(t *testing.T) {
	sqlite, folder := needSQLite(t), filepath.Join(t.TempDir(), "tables")
	got := mangrove("run", "tpch-q3", "P=4", "sf=0.01", "--export", folder)
	require.Zero(t, got.status, got.stderr)
	ours, script := reportedRows(t, got.stdout), readScript(t, folder)
	require.Equal(t, ours, askSQLite(t, sqlite, folder, script))

	file := filepath.Join(folder, "lineitem.tbl")
	table, err := os.ReadFile(file)
	require.NoError(t, err)
	key, _, _ := strings.Cut(ours[9], "|") // of the last row
	at := strings.Index(string(table), "\n"+key+"|") + 1
	row, _, _ := strings.Cut(string(table[at:]), "\n")
	for row[len(row)-10:] <= "1995-03-15" { // shipped by then: it does not count
		at += len(row) + 1
		row, _, _ = strings.Cut(string(table[at:]), "\n")
	}
	require.True(t, strings.HasPrefix(row, key+"|"), row)
	fields := strings.Split(row, "|")
	price := []byte(fields[1])
	cent := &price[len(price)-1]
	*cent = '0' + (*cent-'0'+1)%10
	for name, instead := range map[string]string{"a cent": strings.Replace(row, fields[1], string(price), 1) + "\n", "a row": ""} {
		changed := string(table[:at]) + instead + string(table[at+len(row)+1:])
		require.NoError(t, os.WriteFile(file, []byte(changed), 0o666))
		assert.NotEqual(t, ours, askSQLite(t, sqlite, folder, script), name)
	}
}

func TestAnExportHasTheTablesAndTheQuery(t *testing.T) {
	folder := t.TempDir() // an empty one will do
	got := mangrove("replay", "tpch-q3 P=2 sf=0.0001", "--export", folder)
	require.Zero(t, got.status, got.stderr)
	require.Equal(t, "mangrove: exported customer.tbl, orders.tbl, lineitem.tbl and query3.sql to "+folder+"\n", got.stderr)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	rows := make(map[string]int)
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		require.NoError(t, err)
		rows[entry.Name()] = strings.Count(string(text), "\n")
	}
	require.NotZero(t, rows["query3.sql"])
	delete(rows, "query3.sql")
	require.Equal(t, map[string]int{"customer.tbl": 16, "orders.tbl": 151, "lineitem.tbl": 600}, rows)
	require.NotContains(t, mangrove("run", "tpch-q3", "P=2", "sf=0.0001").stderr, "exported")
}

// What is there already stays as it is, whatever it is.
func TestNothingIsExportedOverSomethingElse(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("diary", []byte("mine"), 0o666))
	require.NoError(t, os.Mkdir("full", 0o777))
	require.NoError(t, os.WriteFile("full/customer.tbl", []byte("mine"), 0o666))
	for words, want := range map[string]string{
		"run tpch-q3 --export full":                     "--export full: customer.tbl is in it, want a new or an empty folder",
		"run tpch-q3 --export .":                        "--export .: diary is in it, want a new or an empty folder",
		"run tpch-q3 --export diary":                    "--export diary: ",
		"run tpch-q3 --export diary/x":                  "--export diary/x: ",
		"run tpch-q3 --export=":                         "--export '': want the name of a folder",
		"run broadcast --export new":                    "--export new: broadcast has no tables to write, want tpch-q3\n",
		"run tpch-q3 sf=-1 --export new":                `"sf=-1": want`,
		"run tpch-q3 --export new --profile heap":       `--profile "heap"`,
		"run tpch-q3 --export new --trace no/such/file": "cannot write the trace to no/such/file",
	} {
		got := mangrove(strings.Fields(words)...)
		assert.Equal(t, 2, got.status, words)
		assert.Contains(t, got.stderr, want, words)
		assert.Empty(t, got.stdout, words)
	}
	assert.NoDirExists(t, "new")
	for _, file := range []string{"diary", "full/customer.tbl"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, "mine", string(text))
	}
	entries, err := os.ReadDir("full")
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

// doneAfter is a context that the user ends after it was asked so many times whether it has ended.
type doneAfter struct {
	context.Context
	left int
}

func (d *doneAfter) Err() error {
	if d.left--; d.left < 0 {
		return context.Canceled
	}
	return nil
}

// An export that is ended leaves nothing behind, wherever it was; a folder that was there stays.
func TestAnExportThatIsEndedLeavesNothing(t *testing.T) {
	made, given := filepath.Join(t.TempDir(), "new", "folder"), t.TempDir()
	for left := range 4 {
		for _, folder := range []string{made, given} {
			run, err := catalog.ParseLine("tpch-q3 P=2 sf=0.0001")
			require.NoError(t, err)
			var stderr bytes.Buffer
			a := app{name: ours, stderr: &stderr}
			require.Equal(t, 130, statusOf(a.export(&doneAfter{t.Context(), left}, run, folder)))
			require.Empty(t, stderr.String())
		}
		require.NoDirExists(t, made)
		entries, err := os.ReadDir(given)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
}
