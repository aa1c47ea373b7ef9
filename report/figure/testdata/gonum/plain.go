package main

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// colours are those of package figure.
var colours = []color.Color{
	color.NRGBA{0x00, 0x72, 0xb2, 0xff}, color.NRGBA{0xd5, 0x5e, 0x00, 0xff}, color.NRGBA{0x00, 0x9e, 0x73, 0xff}, color.NRGBA{0xcc, 0x79, 0xa7, 0xff},
	color.NRGBA{0xe6, 0x9f, 0x00, 0xff}, color.NRGBA{0x56, 0xb4, 0xe9, 0xff}, color.NRGBA{0x00, 0x00, 0x00, 0xff},
}

// plain is the figure as gonum's plot has it: everything is set that can be set, and nothing is drawn by
// code of our own.
func plain(f figure.Figure) *plot.Plot {
	p := plot.New()
	p.Title.Text = f.Title
	if f.Note != "" {
		p.Title.Text += "\n" + f.Note
	}
	p.Title.Padding = 8
	p.Title.TextStyle.Font = sans(13.5)
	p.Legend.TextStyle.Font = sans(12.5)
	p.Legend.Left, p.Legend.Top = true, true
	p.X.Label.Text, p.Y.Label.Text = f.X.Label, f.Y.Label
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(12.5), sans(12)
	}
	if f.X.Log != 0 {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	p.Add(plotter.NewGrid())
	for i := range f.Series {
		addSeries(p, f, i)
	}
	if len(f.X.Names) > 0 {
		p.NominalX(f.X.Names...)
	}
	if len(f.X.Names) == 5 { // these are long
		p.X.Tick.Label.Rotation = math.Pi / 5
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	}
	return p
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// intervals are points with error bars.
type intervals struct {
	plotter.XYs
	plotter.YErrors
}

func addSeries(p *plot.Plot, f figure.Figure, i int) {
	s := f.Series[i]
	colour := colours[i]
	if s.Of > 0 {
		colour = colours[s.Of-1]
	}
	var all plotter.XYs
	var heights plotter.Values
	var sure intervals
	for _, q := range s.Points {
		all, heights = append(all, plotter.XY{X: q.X, Y: q.Y}), append(heights, q.Y)
		if q.High > 0 {
			sure.XYs = append(sure.XYs, plotter.XY{X: q.X, Y: q.Y})
			sure.YErrors = append(sure.YErrors, struct{ Low, High float64 }{q.Y - q.Low, q.High - q.Y})
		}
	}
	var shown []plot.Thumbnailer
	if s.Style == figure.Bars {
		wide := 30 / vg.Length(len(f.Series)) // by hand: it is not known how far apart groups will be
		b := must(plotter.NewBarChart(heights, wide))
		b.Color, b.LineStyle.Width = colour, 0.8
		b.Offset = wide * (vg.Length(i) - vg.Length(len(f.Series)-1)/2)
		p.Add(b)
		shown = append(shown, b)
		colour = color.Black
	}
	if s.Style == figure.Lines {
		l := must(plotter.NewLine(all))
		l.Color, l.Width, l.Dashes = colour, 1.8, plotutil.Dashes(i)
		p.Add(l)
		shown = append(shown, l)
	}
	if s.Style != figure.Bars {
		g := must(plotter.NewScatter(all))
		g.Color, g.Radius, g.Shape = colour, 3.7, plotutil.Shape(i)
		p.Add(g)
		shown = append(shown, g)
	}
	if len(sure.XYs) > 0 {
		e := must(plotter.NewYErrorBars(sure))
		e.Color, e.Width = colour, 1.2
		p.Add(e)
	}
	if s.Name != "" {
		p.Legend.Add(s.Name, shown...)
	}
}

func must[T any](made T, err error) T {
	if err != nil {
		panic(err) // the data are ours
	}
	return made
}
