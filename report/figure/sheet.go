package figure

import (
	"gonum.org/v1/plot/vg"

	"github.com/mangrove-emu/mangrove/internal/problems"
)

// Sheet is several figures on one page, row by row.
type Sheet struct {
	Title, Note string
	Figures     []Figure
	Columns     int // 0: as many as there are figures, up to three
}

// validate lists everything that keeps the sheet from being drawn.
func (s Sheet) validate() error {
	var wrong problems.List
	wrong.Check(len(s.Figures) > 0, "figure: a sheet without figures")
	wrong.Check(s.Columns >= 0, "figure: a sheet of %d columns", s.Columns)
	for _, f := range s.Figures {
		wrong.Note(f.validate())
	}
	return wrong.ErrLines("")
}

// plan is a sheet as it is laid out.
type plan struct {
	Sheet
	size        vg.Point
	title, note []string
	layouts     []layout
}

const gutter = 22 // between figures

// cell is the size of a figure, without the free edge of the page.
func (s Sheet) cell() vg.Point {
	if s.columns() == 1 {
		return vg.Point{X: 7*vg.Inch - 2*edge, Y: 4.5*vg.Inch - 2*edge}
	}
	return vg.Point{X: 4.2*vg.Inch - 2*edge, Y: 3.6*vg.Inch - 2*edge}
}

func (s Sheet) columns() int {
	if s.Columns == 0 {
		return min(3, len(s.Figures))
	}
	return min(s.Columns, len(s.Figures))
}

// arrange lays out all figures. A row is as high as its highest figure needs, and all cells are as
// wide as the widest needs.
func (s Sheet) arrange() plan {
	cell := s.cell()
	p := plan{Sheet: s, layouts: make([]layout, len(s.Figures))}
	for before := vg.Length(0); before < cell.X; {
		before = cell.X
		for _, f := range s.Figures {
			l := f.arrange(vg.Rectangle{Max: cell}, margins{})
			cell.X = max(cell.X, before+ceil(l.missing().X))
		}
	}
	columns := vg.Length(s.columns())
	width := columns*cell.X + (columns-1)*gutter
	p.title, p.note = headline().wrap(s.Title, width, 4), notes().wrap(s.Note, width, 4)
	// Rows are laid out from the top, below 0, and then moved up.
	y := -vg.Length(edge)
	if len(p.title)+len(p.note) > 0 {
		y -= headline().height(p.title) + notes().height(p.note) + 2*titleGap
	}
	for first := 0; first < len(s.Figures); first += s.columns() {
		if first > 0 {
			y -= gutter
		}
		y = p.row(first, min(first+s.columns(), len(s.Figures)), y, cell)
	}
	p.size = vg.Point{X: width + 2*edge, Y: edge - y}
	for i := range p.layouts {
		p.layouts[i].area = p.layouts[i].area.Add(vg.Point{Y: p.size.Y})
	}
	return p
}

// row lays out some figures beside each other, with their axes at the same height, and returns
// where it ends.
func (p *plan) row(first, last int, top vg.Length, cell vg.Point) vg.Length {
	var least margins
	for { // what one figure needs, all get; that only grows
		before, height := least, cell.Y
		for i := first; i < last; i++ {
			x := edge + vg.Length(i-first)*(cell.X+gutter)
			area := vg.Rectangle{Min: vg.Point{X: x, Y: top - height}, Max: vg.Point{X: x + cell.X, Y: top}}
			l := p.Figures[i].arrange(area, before)
			p.layouts[i] = l
			least.top, least.bottom = max(least.top, l.margins.top), max(least.bottom, l.margins.bottom)
			cell.Y = max(cell.Y, height+ceil(l.missing().Y))
		}
		if least == before && cell.Y == height {
			return top - height
		}
	}
}

func (p *plan) draw(page pen) {
	page.heading(headline(), p.title, p.note, vg.Point{X: edge, Y: p.size.Y - edge})
	for i := range p.layouts {
		p.layouts[i].draw(page)
	}
}
