package figure

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the pictures in testdata/gallery anew; then look at them")

// gallery has figures like those we make, and some that are hard to draw.
func gallery() map[string]Figure {
	random := rand.New(rand.NewPCG(1, 2))
	all := map[string]Figure{
		"trees":      treesOverRate(random),
		"scatter":    scatterWithBounds(random),
		"bars":       groupedBars(random),
		"ribbon":     ribbonOverRanks(random),
		"ten":        tenLongNames(random),
		"categories": longCategories(),
		"compare":    pointsOverCategories(),
		"one": {Title: "One point", X: Axis{Label: "distance d"}, Y: Axis{Label: "colouring (ticks)"},
			Series: []Series{{Points: []Point{{X: 4, Y: 27}}}}},
		"equal": {Title: "All the same", X: Axis{Label: "run"}, Y: Axis{Label: "messages"},
			Series: []Series{{Name: "binomial", Points: []Point{{X: 1, Y: 24575}, {X: 2, Y: 24575}, {X: 3, Y: 24575}}}}},
		"huge": {Title: "Thousands of millions, and less than nothing", X: Axis{Label: "ranks"}, Y: Axis{Label: "difference in messages"},
			Series: []Series{
				{Name: "gossip", Points: []Point{{X: 1e9, Y: 1.2e9, Low: 1e9, High: 1.4e9}, {X: 2e9, Y: -7e8}, {X: 4e9, Y: 2.6e9}}},
				{Name: "trees", Style: Bars, Points: []Point{{X: 1e9, Y: 4e8}, {X: 2e9, Y: -4e8}, {X: 4e9, Y: 1e9}}},
			}},
		"rules": rulesOverTime(),
		"log10": {Title: "Decades", X: Axis{Label: "time (ns)", Log: 10}, Y: Axis{Label: "share of runs", Log: 10}, Legend: TopRight,
			Series: []Series{{Name: "late", Points: []Point{{X: 10, Y: 0.5}, {X: 1e4, Y: 1e-3, Low: 0, High: 4e-3}, {X: 1e9, Y: 3e-7}}}}},
		"many": manyCategories(),
		"inside": {Title: "A legend inside", X: Axis{Label: "distance d"}, Y: Axis{Label: "runs"}, Legend: TopLeft,
			Series: []Series{
				{Name: "counted", Style: Bars, Points: []Point{{X: 1, Y: 3}, {X: 2, Y: 5}, {X: 5, Y: 9}, {X: 11, Y: 6}}},
				{Name: "expected", Style: Points, Points: []Point{{1, 4, 2, 6}, {2, 4, 3, 5}, {5, 8, 7, 9}, {11, 7, 5, 10}}},
				{Name: "limit", Style: Rule, Dashed: true, Points: []Point{{X: 1, Y: 7}, {X: 11, Y: 7}}},
			}},
		"meeting": {Title: "Error bars that meet", X: Axis{Label: "runs"}, Y: Axis{Label: "time", Min: 1, Max: 9}, Legend: TopLeft,
			Series: []Series{{Name: "a", Points: []Point{{1, 5, 4, 6}, {2, 5, 0, 7}}}, {Name: "b", Points: []Point{{1, 4, 3, 5}, {2, 8, 7, 11}}}}},
	}
	return all
}

func sheetOfThree() Sheet {
	random := rand.New(rand.NewPCG(3, 4))
	three := []Figure{pointsOverCategories(), groupedBars(random), treesOverRate(random)}
	return Sheet{Title: "P=256 faults=crash:1%", Note: "mean of 50 runs with its 95 % confidence", Figures: three}
}

func treesOverRate(random *rand.Rand) Figure {
	f := Figure{Title: "Quiescence of broadcasts with checked correction", Note: "65,536 ranks, L=2 o=1, 1,000 runs a point",
		X: Axis{Label: "ranks that failed (%)", Log: 10}, Y: Axis{Label: "quiescence (ticks)"}}
	for i, name := range []string{"binomial", "4-ary", "Lamé", "optimal"} {
		s := Series{Name: name}
		for _, rate := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4} {
			y := 70 - 8*float64(i) + 4*math.Log(1+20*rate) + random.NormFloat64()*0.5
			ci := 0.5 + random.Float64()
			s.Points = append(s.Points, Point{rate, y, y - ci, y + ci})
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func scatterWithBounds(random *rand.Rand) Figure {
	s := Series{Name: "run", Style: Points}
	for range 500 {
		gap := float64(1 + random.IntN(40))
		s.Points = append(s.Points, Point{X: gap, Y: 20 + gap*(2+2*random.Float64())})
	}
	return Figure{Title: "Latency of correction against the largest gap", Note: "4,096 ranks, 500 runs",
		X: Axis{Label: "largest gap (ranks)"}, Y: Axis{Label: "correction (ticks)"},
		Series: []Series{s,
			{Name: "lower bound", Style: Rule, Points: []Point{{X: 0, Y: 20}, {X: 41, Y: 102}}},
			{Name: "upper bound", Style: Rule, Points: []Point{{X: 0, Y: 20}, {X: 41, Y: 184}}}}}
}

func groupedBars(random *rand.Rand) Figure {
	f := Figure{Title: "Messages a rank", X: Axis{Names: []string{"allgather", "allreduce", "alltoall", "barrier", "broadcast", "reduce"}},
		Y: Axis{Label: "messages a rank"}}
	for i, name := range []string{"no failures", "1 % of the ranks fail", "4 % of the ranks fail"} {
		s := Series{Name: name, Style: Bars}
		for x := range 6 {
			y := 3 + float64(x+i) + random.Float64()
			s.Points = append(s.Points, Point{float64(x), y, y - 0.4, y + 0.4})
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func ribbonOverRanks(random *rand.Rand) Figure {
	f := Figure{Title: "Colouring of gossip and trees", Note: "L=2 o=1, median and quartiles of 200 runs",
		X: Axis{Label: "ranks P", Log: 2}, Y: Axis{Label: "colouring (ticks)"}}
	for i, name := range []string{"gossip", "binomial tree"} {
		middle, band := Series{Name: name, Of: i + 1}, Series{Style: Band, Of: i + 1}
		for k := 7; k <= 17; k++ {
			x, y := math.Pow(2, float64(k)), float64(k)*(3-float64(i)*0.8)+random.Float64()
			middle.Points = append(middle.Points, Point{X: x, Y: y})
			band.Points = append(band.Points, Point{X: x, Low: y * 0.9, High: y * 1.12})
		}
		f.Series = append(f.Series, middle, band)
	}
	return f
}

func tenLongNames(random *rand.Rand) Figure {
	f := Figure{Title: "Ten series with names that are long, under a title so long that it does not fit on one line of a page of this width",
		X: Axis{Label: "distance d (ranks)"}, Y: Axis{Label: "live ranks missed, on the average"}}
	for i := range 10 {
		s := Series{Name: fmt.Sprintf("tree=%d-ary correction=opportunistic start=overlapped", i+1)}
		for x := range 9 {
			s.Points = append(s.Points, Point{X: float64(x), Y: float64(i*3) + 20/float64(x+1) + random.Float64()})
		}
		f.Series = append(f.Series, s)
	}
	return f
}

func longCategories() Figure {
	return Figure{Title: "Categories with long names", Y: Axis{Label: "colouring (ticks)"},
		X: Axis{Names: []string{"broadcast tree=lame correction=opportunistic", "allreduceoverringsofringsofranks", "gossip variant=fcg f=1",
			"broadcast tree=optimal numbering=in-order start=overlapped", "big", "buntinas"}},
		Series: []Series{{Style: Bars, Points: []Point{{X: 0, Y: 3}, {X: 1, Y: 5}, {X: 2, Y: 4}, {X: 3, Y: 1}, {X: 4, Y: 2}, {X: 5, Y: 2}}}}}
}

func pointsOverCategories() Figure {
	return Figure{Title: "Latency", Y: Axis{Label: "time (ticks)"},
		X: Axis{Names: []string{"broadcast tree=lame", "broadcast", "gossip", "big", "broadcast correction=none"}},
		Series: []Series{
			{Name: "colouring", Style: Points, Of: 1, Points: []Point{{0, 26, 25.4, 26.6}, {1, 34.7, 34, 35.3}, {2, 28, 27.6, 28.8}, {3, 32, 31.8, 32.1}, {4, 31.7, 31.4, 32}}},
			{Name: "colouring, 99 %", Style: Points, Of: 1, Points: []Point{{0, 29, 0, 0}, {1, 37, 0, 0}, {2, 33, 0, 0}, {3, 33, 0, 0}, {4, 32, 0, 0}}},
			{Name: "quiescence", Style: Points, Of: 2, Points: []Point{{0, 34, 33.8, 34.2}, {1, 42, 41.7, 42.1}, {2, 41.3, 41, 41.6}, {3, 42.9, 42.7, 43.1}, {4, 31.8, 31.6, 32}}},
			{Name: "quiescence, 99 %", Style: Points, Of: 2, Points: []Point{{0, 36, 0, 0}, {1, 44, 0, 0}, {2, 44, 0, 0}, {3, 44, 0, 0}, {4, 32, 0, 0}}},
		}}
}

func rulesOverTime() Figure {
	cdf := func(shift float64) (points []Point) {
		for i := range 21 {
			points = append(points, Point{X: shift + float64(i*i)/20, Y: float64(i) / 20})
		}
		return points
	}
	return Figure{Title: "Share of ranks coloured", X: Axis{Label: "time (ticks)"}, Y: Axis{Label: "share of ranks", Min: 0, Max: 1},
		Series: []Series{
			{Name: "binomial", Style: Rule, Points: cdf(10)}, {Name: "Lamé", Style: Rule, Points: cdf(5)}, {Name: "gossip", Style: Rule, Points: cdf(14)},
			{Name: "all", Style: Rule, Points: []Point{{X: 25, Y: 0}, {X: 25, Y: 1}}}}}
}

func manyCategories() Figure {
	f := Figure{Title: "Sixty categories", Y: Axis{Label: "messages"}}
	s := Series{Style: Bars}
	for i := range 60 {
		f.X.Names = append(f.X.Names, fmt.Sprintf("rank %d", 1000+i))
		s.Points = append(s.Points, Point{X: float64(i), Y: 100 + 50*math.Sin(float64(i)/5)})
	}
	f.Series = []Series{s}
	return f
}

// The pictures in testdata/gallery were looked at when they were made. What differs from them is to be looked at as well.
func TestTheGalleryLooksAsItDid(t *testing.T) {
	for name, f := range gallery() {
		requireAsBefore(t, name, written(t, f, "svg"))
	}
	requireAsBefore(t, "sheet", written(t, sheetOfThree(), "svg"))
}

var number = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?`)

// requireAsBefore compares a picture with the one in testdata. Where things are may differ by what nobody sees: not all
// processors round alike.
func requireAsBefore(t *testing.T, name string, svg []byte) {
	t.Helper()
	path := filepath.Join("testdata", "gallery", name+".svg")
	if *update {
		require.NoError(t, os.WriteFile(path, svg, 0o644))
	}
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, number.ReplaceAllString(string(before), "#"), number.ReplaceAllString(string(svg), "#"), name)
	was, is := number.FindAllString(string(before), -1), number.FindAllString(string(svg), -1)
	for i := range was {
		if was[i] == is[i] {
			continue
		}
		require.InDelta(t, parse(t, was[i]), parse(t, is[i]), 0.05, "%s: number %d", name, i)
	}
}

func parse(t *testing.T, text string) float64 {
	value, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return value
}
