package catalog

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// families are the kinds of broadcasts that a table may list, and the words of a line that
// stand for each.
var families = line.Choices[string]{
	{"tree", "correction=none"},
	{"ack", "correction=ack"},
	{"sync-checked", "correction=checked start=sync"},
	{"sync-checked-inorder", "correction=checked start=sync numbering=in-order"},
	{"checked", "correction=checked start=overlapped ring=chain early=rest"},
	{"checked-all", "correction=checked start=overlapped ring=chain early=join"},
	{"opp", "correction=opportunistic start=overlapped ring=chain early=join"},
	{"opp-opt", "correction=optimized start=overlapped ring=ring early=join"},
}

// Families lists the kinds of broadcasts that a table may list.
func Families() []string { return families.Names() }

// TableColumns are the columns that a table must have, in any order. Others are ignored.
func TableColumns() []string {
	return []string{"family", "tree", "L", "o", "P", "k", "d", "failed", "messages", "colouring", "quiescence", "unreached"}
}

// Cost is what a broadcast costs.
type Cost struct {
	Messages              int64
	Colouring, Quiescence clock.Time
	Unreached             int // live ranks that were never coloured
}

// String reads like "393215 messages, colouring 64, quiescence 72, 0 unreached".
func (c Cost) String() string {
	return fmt.Sprintf("%d messages, colouring %d, quiescence %d, %d unreached", c.Messages, c.Colouring, c.Quiescence, c.Unreached)
}

// costOf takes the cost out of a report.
func costOf(rep *report.Report) Cost {
	return Cost{rep.Messages, rep.Colouring, rep.Quiescence, rep.Missed().Count}
}

// TableRow is one broadcast and what it should cost.
type TableRow struct {
	Number   int // of the line in the file
	Run      *scenarios.Run
	Expected Cost
}

// ReadTable reads a table of expected costs, as comma-separated values with a line of
// column names. An empty k or d means the usual one; failed lists the ranks that are down
// from the start, with blanks between them. The error is a [line.InputError] that lists all
// problems.
func ReadTable(r io.Reader) ([]TableRow, error) {
	t := tableReader{csv: csv.NewReader(r)}
	var rows []TableRow
	if t.header() {
		for len(t.wrong) < maxProblems && t.next() {
			if row, ok := t.row(); ok {
				rows = append(rows, row)
			}
		}
		if len(rows)+len(t.wrong) == 0 {
			t.wrong.Add("no rows below the column names")
		}
	}
	return rows, line.Refuse(t.wrong...)
}

// maxProblems is how many problems of a table are reported.
const maxProblems = 20

// Check runs the row's broadcast and returns what it costs.
func (r TableRow) Check(ctx context.Context, e *scenarios.Executor) (Cost, error) {
	outcome, err := e.Run(ctx, r.Run)
	if err != nil {
		return Cost{}, err
	}
	return costOf(outcome.Report), nil
}

// tableReader reads a table line by line. It goes on after a mistake, to report the others
// as well.
type tableReader struct {
	csv    *csv.Reader
	column map[string]int
	record []string
	number int // of the line
	wrong  problems.List
}

// next reads the next record.
func (t *tableReader) next() bool {
	record, err := t.csv.Read()
	if err != nil {
		if err != io.EOF {
			t.wrong.Note(err)
		}
		return false
	}
	t.record = record
	t.number, _ = t.csv.FieldPos(0)
	return true
}

// header reads the names of the columns.
func (t *tableReader) header() bool {
	if !t.next() {
		if len(t.wrong) == 0 {
			t.wrong.Add("empty table, want a line of column names")
		}
		return false
	}
	t.column = make(map[string]int)
	for i, name := range t.record {
		t.column[strings.TrimPrefix(name, "\ufeff")] = i
	}
	var missing []string
	for _, name := range TableColumns() {
		if _, ok := t.column[name]; !ok {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		t.wrong.Add("no column %s in the first line", strings.Join(missing, ", "))
	}
	return missing == nil
}

func (t *tableReader) field(name string) string { return strings.TrimSpace(t.record[t.column[name]]) }

// row makes a row of the record.
func (t *tableReader) row() (TableRow, bool) {
	before := len(t.wrong)
	row := TableRow{Number: t.number, Expected: Cost{
		Messages:   t.count("messages"),
		Colouring:  clock.Time(t.count("colouring")),
		Quiescence: clock.Time(t.count("quiescence")),
		Unreached:  int(t.count("unreached")),
	}}
	var err error
	var input *line.InputError
	if row.Run, err = Parse(t.words()); errors.As(err, &input) {
		t.wrong.Add("line %d: %s", t.number, strings.Join(input.Problems, "; "))
	}
	return row, len(t.wrong) == before
}

// count reads a number that is not negative.
func (t *tableReader) count(name string) int64 {
	n, err := strconv.ParseInt(t.field(name), 10, 64)
	if err != nil || n < 0 {
		t.wrong.Add("line %d: %s %q, want a number of 0 or more", t.number, name, t.field(name))
	}
	return n
}

// words returns the words of the row's run line.
func (t *tableReader) words() []string {
	words := []string{"broadcast"}
	for _, key := range []string{"tree", "k", "d", "P", "L", "o"} {
		optional := key == "k" || key == "d"
		if value := t.field(key); value != "" || !optional {
			words = append(words, key+"="+value)
		}
	}
	family, ok := families.Lookup(t.field("family"))
	if !ok {
		t.wrong.Add("line %d: family %q, want %s%s", t.number, t.field("family"),
			line.OneOf(families.Names()), line.Suggest(t.field("family"), families.Names()))
	}
	words = slices.Insert(words, 2, strings.Fields(family)...)
	if failed := strings.Fields(t.field("failed")); len(failed) > 0 {
		words = append(words, "faults=crash:"+strings.Join(failed, ",crash:"))
	}
	return words
}
