package paper

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Result is a table or figure as we find it.
type Result struct {
	Name    string // of the experiment
	Note    string // on what machine, with how many runs
	Table   Table
	Claims  []Claim
	Foot    string // explains columns, if they need it
	Answer  *Answer
	Drawing Drawing
}

// Drawing is a figure, or a sheet of them (package figure).
type Drawing interface {
	Write(w io.Writer, format string) error
}

// Answer is what a query has returned, in all runs of some kind.
type Answer struct {
	Of string // which runs
	*scenarios.Answer
}

// Text is what a user wants to read of a result.
func (r *Result) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s", r.Note, r.Table.Text())
	if len(r.Claims) > 0 {
		t := Table{Columns: []Column{{Name: "", Left: true}, {Name: "paper"}, {Name: "ours"}, {Name: "", Left: true}}}
		for _, c := range r.Claims {
			t.add(c.What, c.Paper, c.Ours, c.verdict())
		}
		b.WriteString("\n" + t.Text())
	}
	if r.Foot != "" {
		b.WriteString("\n" + r.Foot + "\n")
	}
	if r.Answer != nil {
		fmt.Fprintf(&b, "\n%s\n%s\n", r.Answer.Of, strings.Join(r.Answer.Lines(), "\n"))
	}
	return b.String()
}

// Save writes the table (CSV) and the drawing (SVG and PNG) of a result to files of this name in a folder.
func (r *Result) Save(folder, name string) error {
	path := filepath.Join(folder, name)
	table, err := wholefile.Create(path + ".csv")
	if err != nil {
		return err
	}
	if err := table.Finish(r.Table.writeCSV(table)); err != nil {
		return err
	}
	if err := figure.Save(path+".svg", r.Drawing); err != nil {
		return err
	}
	return figure.Save(path+".png", r.Drawing)
}

// MarshalJSON shows the rows as objects.
func (r *Result) MarshalJSON() ([]byte, error) {
	rows := make([]map[string]any, len(r.Table.Rows))
	for i, row := range r.Table.Rows {
		rows[i] = make(map[string]any, len(row))
		for k, cell := range row {
			rows[i][r.Table.Columns[k].Name] = cell
		}
	}
	return json.Marshal(struct {
		Name   string           `json:"name"`
		Note   string           `json:"note"`
		Rows   []map[string]any `json:"rows"`
		Claims []Claim          `json:"claims,omitempty"`
		Foot   string           `json:"foot,omitempty"`
		Answer *Answer          `json:"answer,omitempty"`
	}{r.Name, r.Note, rows, r.Claims, r.Foot, r.Answer})
}
