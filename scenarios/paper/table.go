package paper

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
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

// add appends a row. There is nothing to say about a number that cannot be told (NaN).
func (t *Table) add(cells ...any) {
	if len(cells) != len(t.Columns) {
		panic(fmt.Sprintf("paper: a row of %d cells, want %d", len(cells), len(t.Columns)))
	}
	for i, cell := range cells {
		if x, ok := cell.(float64); ok && math.IsNaN(x) {
			cells[i] = nil
		}
	}
	t.Rows = append(t.Rows, cells)
}

// Text is the table with its columns aligned.
func (t *Table) Text() string {
	lines := t.lines(func(c Column, cell any) string { return cellText(cell, "-", 'f', c.Digits) })
	return text.Columns(lines, func(i int) bool { return t.Columns[i].Left })
}

// writeCSV writes the table with all digits of its numbers.
func (t *Table) writeCSV(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(t.lines(func(_ Column, cell any) string { return cellText(cell, "", 'g', -1) }))
}

// lines are the names of the columns, and the cells of all rows as texts.
func (t *Table) lines(of func(Column, any) string) [][]string {
	lines := make([][]string, 1+len(t.Rows))
	for i, c := range t.Columns {
		lines[0] = append(lines[0], c.Name)
		for k, row := range t.Rows {
			lines[1+k] = append(lines[1+k], of(c, row[i]))
		}
	}
	return lines
}

// cellText is a cell as text: numbers as [strconv.FormatFloat] formats them, or a word for nothing.
func cellText(cell any, nothing string, format byte, digits int) string {
	switch cell := cell.(type) {
	case nil:
		return nothing
	case float64:
		return strconv.FormatFloat(cell, format, digits, 64)
	}
	return fmt.Sprint(cell)
}
