package tpch

import (
	"cmp"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// texts are the tables of a database, by name.
func texts(t require.TestingT, db Database) map[string]string {
	all := make(map[string]string)
	for _, table := range db.Tables() {
		var text strings.Builder
		require.NoError(t, table.Write(&text))
		all[table.Name] = text.String()
	}
	return all
}

func TestTablesAsText(t *testing.T) {
	require.Equal(t, map[string]string{
		"customer": "c_custkey|c_mktsegment\n1|BUILDING\n",
		"orders":   "o_orderkey|o_custkey|o_orderdate|o_shippriority\n1|1|1994-01-10|0\n2|1|1997-01-08|0\n",
		"lineitem": "l_orderkey|l_extendedprice|l_discount|l_shipdate\n" +
			"1|29733.00|0.05|1994-02-15\n1|27931.00|0.06|1994-03-29\n1|17119.00|0.05|1994-03-02\n1|28832.00|0.03|1994-03-17\n" +
			"1|33337.00|0.02|1994-03-09\n1|35139.00|0.04|1994-03-11\n1|10812.00|0.05|1994-01-14\n" +
			"2|44149.00|0.00|1997-03-25\n2|18020.00|0.06|1997-01-23\n2|18921.00|0.10|1997-02-07\n2|27030.00|0.08|1997-05-03\n",
	}, texts(t, Database{Scale: 1e-6, Seed: 2}))
}

// records are the rows of a table, each column by its name.
func records(t require.TestingT, text string) (all []map[string]string) {
	require.True(t, strings.HasSuffix(text, "\n"))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	columns := strings.Split(lines[0], "|")
	for _, line := range lines[1:] {
		values := strings.Split(line, "|")
		require.Len(t, values, len(columns), line)
		record := make(map[string]string)
		for i, column := range columns {
			record[column] = values[i]
		}
		all = append(all, record)
	}
	return all
}

func number(t require.TestingT, text string) *big.Rat {
	n, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return n
}

// answerOfTexts is the query as the specification has it, on tables as text: nothing of ours has a part in it. Days as text are
// in the order of time.
func answerOfTexts(t require.TestingT, tables map[string]string, segment, date string) (answer []string) {
	wanted := make(map[string]bool) // customers
	for _, customer := range records(t, tables["customer"]) {
		wanted[customer["c_custkey"]] = customer["c_mktsegment"] == segment
	}
	early := make(map[string]map[string]string) // orders
	for _, order := range records(t, tables["orders"]) {
		if wanted[order["o_custkey"]] && order["o_orderdate"] < date {
			early[order["o_orderkey"]] = order
		}
	}
	revenue := make(map[string]*big.Rat)
	for _, line := range records(t, tables["lineitem"]) {
		key := line["l_orderkey"]
		if early[key] == nil || line["l_shipdate"] <= date {
			continue
		}
		if revenue[key] == nil {
			revenue[key] = new(big.Rat)
		}
		rest := new(big.Rat).Sub(big.NewRat(1, 1), number(t, line["l_discount"]))
		revenue[key].Add(revenue[key], rest.Mul(rest, number(t, line["l_extendedprice"])))
	}
	var keys []string
	for key := range revenue {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(revenue[b].Cmp(revenue[a]), cmp.Compare(early[a]["o_orderdate"], early[b]["o_orderdate"]), number(t, a).Cmp(number(t, b)))
	})
	for _, key := range keys[:min(10, len(keys))] {
		answer = append(answer, strings.Join([]string{key, revenue[key].FloatString(4), early[key]["o_orderdate"], early[key]["o_shippriority"]}, "|"))
	}
	return answer
}

// rowsOf are the results of an answer as text.
func rowsOf(results []Result) (rows []string) {
	for _, r := range results {
		rows = append(rows, strings.Join([]string{digits(r.Order), r.RevenueText(), r.Date.String(), digits(int64(r.ShipPriority))}, "|"))
	}
	return rows
}

func TestTablesAsTextHaveTheAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		database, query := anyDatabase(t), anyQuery(t)
		database.Scale = max(MinScale, database.Scale/10) // text takes its time
		tables := texts(t, database)
		require.Equal(t, answerOfTexts(t, tables, query.Segment.String(), query.Date.String()), rowsOf(query.Run(database)))
	})
}

// With ten rows in each, also by the pieces.
func TestTablesOfALargerDatabaseHaveTheAnswer(t *testing.T) {
	for segment, name := range SegmentNames() {
		database, query := Database{Scale: 0.004, Seed: uint64(segment)}, Query{Segment: Segment(segment), Date: Default().Date}
		want := answerOfTexts(t, texts(t, database), name, "1995-03-15")
		require.Len(t, want, Limit)
		require.Equal(t, want, rowsOf(query.Run(database)))
		best := tops(database, 7, query)
		for _, more := range best[1:] {
			best[0] = Merge(best[0], more)
		}
		require.Equal(t, want, rowsOf(best[0]))
	}
}

// Every row is there, also those that no answer depends on.
func TestTablesAsTextHaveAllRows(t *testing.T) {
	database := Database{Scale: 0.0005, Seed: 11}
	all, tables := readAll(database.Partition(0, 1)), texts(t, database)
	cents := func(text string) string { return new(big.Rat).Mul(number(t, text), big.NewRat(100, 1)).RatString() }
	for i, r := range records(t, tables["customer"]) {
		require.Equal(t, []string{digits(int64(all.customers[i].key)), all.customers[i].segment.String()}, []string{r["c_custkey"], r["c_mktsegment"]})
	}
	for i, r := range records(t, tables["orders"]) {
		o := all.orders[i]
		require.Equal(t, []string{digits(o.key), digits(int64(o.customer)), o.date.String(), digits(int64(o.shipPriority))},
			[]string{r["o_orderkey"], r["o_custkey"], r["o_orderdate"], r["o_shippriority"]})
	}
	lines := slices.Concat(all.lineitems...)
	for i, r := range records(t, tables["lineitem"]) {
		l := lines[i]
		require.Equal(t, []string{digits(l.order), digits(int64(l.extendedPrice)), digits(int64(l.discount)), l.shipDate.String()},
			[]string{r["l_orderkey"], cents(r["l_extendedprice"]), cents(r["l_discount"]), r["l_shipdate"]})
		require.Regexp(t, `^\d+\.\d\d$`, r["l_extendedprice"])
		require.Regexp(t, `^0\.\d\d$`, r["l_discount"])
	}
	require.Equal(t, []int{len(all.customers), len(all.orders), len(lines)},
		[]int{len(records(t, tables["customer"])), len(records(t, tables["orders"])), len(records(t, tables["lineitem"]))})
}

func digits(n int64) string { return strconv.FormatInt(n, 10) }

func TestRevenueHasFourDecimals(t *testing.T) {
	for revenue, want := range map[int64]string{0: "0.0000", 7: "0.0007", 10_000: "1.0000", 3_597_715_155: "359771.5155", 2_851_905_490: "285190.5490"} {
		require.Equal(t, want, Result{Revenue: revenue}.RevenueText())
	}
}

// failing takes some texts, then no more.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(text []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errFull
	}
	return len(text), nil
}

func TestTablesSayThatTheyCannotBeWritten(t *testing.T) {
	for _, table := range (Database{Scale: 0.1}).Tables() {
		require.ErrorIs(t, table.Write(&failing{0}), errFull, table.Name)
		require.ErrorIs(t, table.Write(&failing{2}), errFull, table.Name)
		require.NoError(t, table.Write(&failing{1000}), table.Name)
	}
}

// The script has the parameters of the query.
func TestSQLHasTheParametersOfTheQuery(t *testing.T) {
	date, err := ParseDate("1994-02-28")
	require.NoError(t, err)
	sql := Query{Segment: 3, Date: date}.SQL()
	require.Equal(t, 1, strings.Count(sql, "c_mktsegment = 'MACHINERY'"))
	require.Equal(t, 2, strings.Count(sql, "'1994-02-28'"))
	require.Contains(t, sql, "limit 10;")
	require.NotContains(t, sql, "%!")
	require.NotContains(t, sql, "%%")
}
