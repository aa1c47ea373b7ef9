package paper

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/mangrove-emu/mangrove/internal/text"
)

// Table is rows of cells under the names of their columns, which are all different. A cell is a number, a text, or nil if
// there is nothing to say.
type Table struct {
	Columns []Column
	Rows    [][]any
}

// Column says how the cells under it are shown. In CSV numbers have all their digits.
type Column struct {
	Name   string
	Digits int  // of fractional numbers, after the point
	Left   bool // for texts
}

// Add appends a row.
func (t *Table) Add(cells ...any) {
	if len(cells) != len(t.Columns) {
		panic(fmt.Sprintf("paper: a row of %d cells, want %d", len(cells), len(t.Columns)))
	}
	t.Rows = append(t.Rows, cells)
}

// Text is the table with its columns aligned.
func (t *Table) Text() string {
	lines := [][]string{{}}
	for _, c := range t.Columns {
		lines[0] = append(lines[0], c.Name)
	}
	for _, row := range t.Rows {
		var line []string
		for i, cell := range row {
			line = append(line, t.Columns[i].text(cell))
		}
		lines = append(lines, line)
	}
	return text.Columns(lines, func(i int) bool { return t.Columns[i].Left })
}

// text is a cell as it is shown.
func (c Column) text(cell any) string {
	switch cell := cell.(type) {
	case nil:
		return "-"
	case float64:
		return strconv.FormatFloat(cell, 'f', c.Digits, 64)
	}
	return fmt.Sprint(cell)
}

// WriteCSV writes the table with all digits of its numbers.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	if err := out.Write(names); err != nil {
		return err
	}
	for _, row := range t.Rows {
		var record []string
		for _, cell := range row {
			record = append(record, exact(cell))
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// exact is a cell with all its digits.
func exact(cell any) string {
	switch cell := cell.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(cell, 'g', -1, 64)
	}
	return fmt.Sprint(cell)
}
