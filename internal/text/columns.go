package text

import (
	"strings"
	"unicode/utf8"
)

// Columns puts rows of as many cells each under one another. Columns are aligned at their right, as is usual for
// numbers, unless left says otherwise of a column. Package text/tabwriter aligns all columns of a table
// on the same side.
func Columns(rows [][]string, left func(column int) bool) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var all strings.Builder
	for _, row := range rows {
		padded := make([]string, len(row))
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if left(i) {
				padded[i] = cell + space
			} else {
				padded[i] = space + cell
			}
		}
		all.WriteString(strings.TrimRight(strings.Join(padded, "  "), " ") + "\n")
	}
	return all.String()
}
