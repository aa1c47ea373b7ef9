package timeline

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// Draw draws a run whose events were recorded: a time axis, a row for every rank, a legend. It says so if there is
// no room for the run, before it writes anything.
func Draw(w io.Writer, run traceevent.Run, colour bool) error {
	if ranks := len(run.Report.Ranks); ranks > MaxRanks {
		return fmt.Errorf("the run has %d ranks, a drawing has room for %d", ranks, MaxRanks)
	}
	c, err := newChart(run)
	if err != nil {
		return err
	}
	c.print(w, colour)
	return nil
}

// glyph is how an activity looks, and its colour as an ANSI code; 0 for none.
type glyph struct {
	char   byte
	colour int
	name   string
}

var glyphs = [...]glyph{
	uncoloured: {'.', 90, "waiting, uncoloured"},
	coloured:   {'-', 0, "waiting, coloured"},
	sending:    {'>', 32, "sending"},
	receiving:  {'<', 36, "receiving"},
	both:       {'#', 33, "both"},
	storing:    {'=', 35, "using storage"},
	finished:   {' ', 0, "finished"},
	failed:     {'x', 31, "failed"},
}

// legend is the order in which activities are explained, line by line.
var legend = [][]activity{
	{sending, receiving, both, failed},
	{uncoloured, coloured, finished},
}

// labelEvery is how many ticks apart the labels of the time axis are.
const labelEvery = 5

func (c *chart) print(w io.Writer, colour bool) {
	width := min(2, MaxTicks/c.columns) // characters a tick
	fmt.Fprintf(w, "rank  %s\n", c.axis(width))
	for rank, row := range c.rows {
		fmt.Fprintf(w, "%4d  %s\n", rank, paint(row, width, colour))
	}
	fmt.Fprintln(w)
	for _, line := range legend {
		fmt.Fprintln(w, "      "+explain(line, colour))
	}
	if c.has(storing) {
		fmt.Fprintln(w, "      "+explain([]activity{storing}, colour))
	}
}

// has reports whether a rank does such a thing at some time.
func (c *chart) has(a activity) bool {
	return slices.ContainsFunc(c.rows, func(row []activity) bool { return slices.Contains(row, a) })
}

// axis labels the ticks.
func (c *chart) axis(width int) string {
	var b strings.Builder
	for t := 0; t < c.columns; t += labelEvery {
		fmt.Fprintf(&b, "%-*d", labelEvery*width, t)
	}
	return strings.TrimRight(b.String(), " ")
}

// paint draws one row. Blanks at its end are left out.
func paint(row []activity, width int, colour bool) string {
	for len(row) > 0 && row[len(row)-1] == finished {
		row = row[:len(row)-1]
	}
	var b strings.Builder
	for i := 0; i < len(row); {
		n := 1
		for i+n < len(row) && row[i+n] == row[i] {
			n++
		}
		b.WriteString(glyphs[row[i]].times(n*width, colour))
		i += n
	}
	return b.String()
}

// times repeats the glyph.
func (g glyph) times(n int, colour bool) string {
	text := strings.Repeat(string(g.char), n)
	if !colour || g.colour == 0 {
		return text
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", g.colour, text)
}

// explain names activities.
func explain(line []activity, colour bool) string {
	var b strings.Builder
	for _, a := range line {
		g := glyphs[a]
		sample := g.times(1, colour)
		if a == finished {
			sample = "(blank)"
		}
		fmt.Fprintf(&b, "%s %s   ", sample, g.name)
	}
	return strings.TrimRight(b.String(), " ")
}
