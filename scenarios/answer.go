package scenarios

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Answer is the result of a query: rows of columns that have names. A value is a number or a text; decimals are a
// [json.Number], which has all of their digits.
type Answer struct {
	Columns []string
	Rows    [][]any
}

// Lines are the names of the columns and the rows as text, with | between columns.
func (a *Answer) Lines() []string {
	lines := []string{strings.Join(a.Columns, "|")}
	for _, row := range a.Rows {
		texts := make([]string, len(row))
		for i, value := range row {
			texts[i] = fmt.Sprint(value)
		}
		lines = append(lines, strings.Join(texts, "|"))
	}
	return lines
}

// MarshalJSON shows rows as objects, with the columns in their order.
func (a *Answer) MarshalJSON() ([]byte, error) {
	text := []byte{'['}
	for i, row := range a.Rows {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '{')
		for k, value := range row {
			if k > 0 {
				text = append(text, ',')
			}
			for _, part := range []any{a.Columns[k], value} {
				encoded, err := json.Marshal(part)
				if err != nil {
					return nil, err
				}
				text = append(append(text, encoded...), ':')
			}
			text = text[:len(text)-1] // behind the value
		}
		text = append(text, '}')
	}
	return append(text, ']'), nil
}
