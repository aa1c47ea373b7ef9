package figure

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"strings"

	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// dpi is how many pixels of a PNG are an inch.
const dpi = 200

// Write draws the figure in the format "svg" or "png", or lists everything that is wrong with it. It is 7
// inches wide and 4.5 inches high, higher if texts need more.
func (f Figure) Write(w io.Writer, format string) error {
	return Sheet{Figures: []Figure{f}}.Write(w, format)
}

// Write draws the figures in the format "svg" or "png". Each is 4.2 inches wide, and those of a row
// have their axes at the same height.
func (s Sheet) Write(w io.Writer, format string) error {
	if err := s.validate(); err != nil {
		return err
	}
	switch format {
	case "svg":
		return s.writeSVG(w)
	case "png":
		return png.Encode(w, s.raster(dpi).Image())
	}
	return fmt.Errorf("figure: format %q, want svg or png", format)
}

// raster draws with so many pixels an inch.
func (s Sheet) raster(dpi int) *vgimg.Canvas {
	g := s.arrange()
	c := vgimg.NewWith(vgimg.UseWH(g.size.X, g.size.Y), vgimg.UseDPI(dpi))
	g.draw(newPen(c))
	return c
}

func (s Sheet) writeSVG(w io.Writer) error {
	g := s.arrange()
	c := vgsvg.New(g.size.X, g.size.Y)
	g.draw(newPen(c))
	var drawn bytes.Buffer
	if _, err := c.WriteTo(&drawn); err != nil {
		return err
	}
	_, err := io.WriteString(w, finish(drawn.String(), cmp.Or(s.Title, s.Figures[0].Title)))
	return err
}

// finish gives an SVG a title for those who cannot see it, and other fonts to use where the first
// is not known. What is replaced cannot be in a text, where quotes and brackets are escaped.
func finish(svg, name string) string {
	const family = `"font-family:Liberation Sans;`
	svg = strings.ReplaceAll(svg, family, `"font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;`)
	const root = `xmlns:xlink="http://www.w3.org/1999/xlink">`
	var title strings.Builder
	_ = xml.EscapeText(&title, []byte(clean(name))) // a Builder takes everything
	return strings.Replace(svg, root, strings.TrimSuffix(root, ">")+` role="img">`+"\n<title>"+title.String()+"</title>", 1)
}
