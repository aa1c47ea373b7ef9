package figure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// madeUpWords are of all lengths, so that texts break in different places.
var madeUpWords = strings.Fields("a of rank ticks binomial correction=checked quiescence, opportunistic failure-proof")

func madeUpText(random *rand.Rand, most int) string {
	var words []string
	for range random.IntN(most + 1) {
		words = append(words, madeUpWords[random.IntN(len(madeUpWords))])
	}
	return strings.Join(words, " ")
}

// madeUpFigure has whatever figures can have, in any combination.
func madeUpFigure(random *rand.Rand) Figure {
	f := Figure{Title: madeUpText(random, 30), Note: madeUpText(random, 50), Legend: Corner(random.IntN(int(None) + 1)),
		X: Axis{Label: madeUpText(random, 6)}, Y: Axis{Label: madeUpText(random, 6), Log: []float64{0, 2, 10}[random.IntN(3)]}}
	onX := func() float64 { return 1 + float64(random.IntN(40)) }
	switch random.IntN(3) {
	case 0:
		f.X.Log = 2
	case 1:
		for range 2 + random.IntN(8) {
			f.X.Names = append(f.X.Names, madeUpText(random, 4))
		}
		onX = func() float64 { return float64(random.IntN(len(f.X.Names))) }
	}
	for range 1 + random.IntN(7) {
		s := Series{Name: madeUpText(random, 5), Style: Style(random.IntN(int(Rule) + 1)), Of: random.IntN(3), Dashed: random.IntN(2) == 0}
		for range 1 + random.IntN(6) {
			p := Point{X: onX(), Y: 1 + float64(random.IntN(1000))/8}
			if s.Style == Band || random.IntN(2) == 0 {
				p.Low, p.High = p.Y*0.75, p.Y*1.25
			}
			s.Points = append(s.Points, p)
		}
		f.Series = append(f.Series, s)
	}
	return f
}

// What nobody would draw shows what figures like ours hide: texts of too many lines, legends without room, names that just fit.
func TestMadeUpSheetsLookAsTheyDid(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 5 {
		s := Sheet{Title: madeUpText(random, 120), Note: madeUpText(random, 200), Columns: 1 + i%3}
		for range 6 {
			s.Figures = append(s.Figures, madeUpFigure(random))
		}
		requireAsBefore(t, fmt.Sprintf("madeup-%d", i), written(t, s, "svg"))
	}
}
