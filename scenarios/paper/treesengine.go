package paper

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Figures 11 and 12 are of broadcasts on a Cray, 72 processes on each of up to 512 nodes. Here are as many processes as make sense on one machine, and as many ranks as
// there, many in each of two processes.

// paperNode is how many processes a node had.
const paperNode = 72

// broadcastWay is a line of the two figures: a name, and the words that are different.
type broadcastWay struct {
	name    string
	words   string
	once    bool // there is no series of it
	gossips bool
	fails   bool // some ranks do
}

// seriesFor is broadcasts one after the other, so far apart that one is over before the next begins.
func seriesFor(ranks int) string {
	if ranks <= 2*paperNode {
		return " repeat=20 period=5ms"
	}
	return fmt.Sprintf(" repeat=5 period=%dus", 50*ranks)
}

// figure11 and figure12 are the ways that each has. Corrections are those of the authors' prototype: overlapped, optimized, to one side. Gossip is
// not repeated within a run; a tree that is not, either, is what it is compared with.
var (
	figure11 = []broadcastWay{
		{name: "binomial tree", words: "broadcast correction=none"},
		{name: "binomial tree, once", words: "broadcast correction=none", once: true},
		{name: "gossip", words: "gossip variant=ocg partners=fixed", once: true, gossips: true},
	}
	figure12 = []broadcastWay{
		{name: "binomial, no correction", words: "broadcast correction=none"},
		{name: "binomial, d=1", words: "broadcast start=overlapped correction=optimized direction=right d=1"},
		{name: "binomial, d=2", words: "broadcast start=overlapped correction=optimized direction=right d=2"},
		{name: "binomial, d=2, ranks down", words: "broadcast start=overlapped correction=optimized direction=right d=2", fails: true},
		{name: "Lamé k=2, d=2", words: "broadcast tree=lame k=2 start=overlapped correction=optimized direction=right d=2"},
	}
)

// lineFor is the line of a way for so many ranks.
func (w broadcastWay) lineFor(ranks int) string {
	words := w.words
	if w.gossips {
		words += fmt.Sprintf(" rounds=%d C=%d", 2*levels(ranks), gossipCorrection) // fewer leave too many out
	}
	if !w.once {
		words += seriesFor(ranks)
	}
	if w.fails {
		words += fmt.Sprintf(" faults=crash:~%d", downOf(ranks))
	}
	return fmt.Sprintf("%s P=%d", words, ranks)
}

// gossipCorrection is so long that ranks send four messages to correct, as in the paper.
const gossipCorrection = 7

// levels is how many rounds it takes to reach so many ranks if all who are reached go on.
func levels(ranks int) int {
	n := 0
	for reached := 1; reached < ranks; reached *= 2 {
		n++
	}
	return n
}

// fewestToFail is how many ranks there are at least if one is down: of two, only the root would be left.
const fewestToFail = 4

// fewestToGossip is how many ranks there are at least for gossip to be another thing than a tree: of two, there is one to send to.
const fewestToGossip = 4

// downOf is how many ranks are down: the share of the paper, 72 of 36,864, and one at least.
func downOf(ranks int) int { return max(1, ranks/512) }

// enginePoint is what one way has taken on so many ranks.
type enginePoint struct {
	way              string
	ranks, processes int
	apart            bool
	beside
}

// manyRanks are sizes of the paper, in ranks of two processes.
func (o Options) manyRanks() []int {
	nodes := []int{1, 8, 64}
	if o.Size == campaign.Quick {
		nodes = nodes[:2]
	}
	if o.Size == campaign.Full {
		nodes = append(nodes, 512)
	}
	for i := range nodes {
		nodes[i] *= paperNode
	}
	return nodes
}

// measureBroadcasts runs all ways on processes with a rank each, and, if asked to, with processes apart as well, and then on many ranks of two processes.
func measureBroadcasts(ctx context.Context, name string, ways []broadcastWay, apart bool, o Options) ([]enginePoint, error) {
	var plan []enginePoint
	words := make(map[string]broadcastWay)
	for _, way := range ways {
		words[way.name] = way
		for _, n := range o.processSizes() {
			if way.fails && n < fewestToFail {
				continue
			}
			plan = append(plan, enginePoint{way: way.name, ranks: n, processes: n})
			if apart {
				plan = append(plan, enginePoint{way: way.name, ranks: n, processes: n, apart: true})
			}
		}
		for _, ranks := range o.manyRanks() {
			plan = append(plan, enginePoint{way: way.name, ranks: ranks, processes: 2})
		}
	}
	e, err := newEngine(o, name, len(plan))
	if err != nil {
		return nil, err
	}
	for _, p := range inTurn(plan) {
		if p.beside, err = e.run(ctx, p.processes, p.apart, words[p.way].lineFor(p.ranks)); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// inTurn is the order in which points are measured: those that are compared are neighbours, as machines are busier at one time than at another.
func inTurn(plan []enginePoint) []*enginePoint {
	all := make([]*enginePoint, len(plan))
	for i := range plan {
		all[i] = &plan[i]
	}
	slices.SortStableFunc(all, func(a, b *enginePoint) int {
		return cmp.Or(cmp.Compare(a.ranks, b.ranks), cmp.Compare(memoryOf(b.apart), memoryOf(a.apart)))
	})
	return all
}

const engineFoot = `Latency until the last rank has the message: of a series from when the root begins, of one broadcast a run (gossip, and
"once") from when it is to begin. MPI_Bcast took turns with each way in the same job; the ratio is the median of turns.
Processes share the processors of one machine: with more of them than processors this is about its scheduler, too. Where there are more
ranks than processes, what ranks of one process send each other does not cross MPI, and MPI_Bcast has two processes.`

// prototypeFigure is figure 11: our binomial tree and gossip against the library's own broadcast, with shared memory and without.
func prototypeFigure(ctx context.Context, o Options) (*Result, error) {
	all, err := measureBroadcasts(ctx, "trees-fig11", figure11, true, o)
	if err != nil {
		return nil, err
	}
	tree := ratios(all, "binomial tree", true)
	gossip := newReach()
	for _, p := range all {
		if p.way == "gossip" && p.ranks == p.processes && p.ranks >= fewestToGossip {
			gossip.add(p.ours.median / find(all, "binomial tree, once", p.ranks, p.apart).ours.median)
		}
	}
	r := engineResult(all, "Broadcasts beside MPI_Bcast")
	r.Claims = []Claim{
		judged("binomial tree over MPI_Bcast, no shared memory", "about 1", tree.text(2), tree.in(&reach{0.5, 2})),
		judged("gossip over the binomial tree", "more than 1", gossip.text(2), gossip.in(above(1))),
	}
	return r, nil
}

// variantsFigure is figure 12: corrections and trees against the tree without correction.
func variantsFigure(ctx context.Context, o Options) (*Result, error) {
	all, err := measureBroadcasts(ctx, "trees-fig12", figure12, false, o)
	if err != nil {
		return nil, err
	}
	over := func(way, base string) *reach { return number(meanQuotient(all, way, base)) }
	none, one, two, down, lame := figure12[0].name, figure12[1].name, figure12[2].name, figure12[3].name, figure12[4].name
	r := engineResult(all, "Corrected trees on processes")
	single, second, failed, shape := over(one, none), over(two, one), over(down, two), over(lame, two)
	r.Foot += "\nWays were measured in jobs of their own, so what is compared are their ratios to MPI_Bcast: means over all numbers of processes."
	r.Claims = []Claim{
		judged("one correction message over none", "little more than 1", single.text(2), single.in(&reach{0.8, 1.5})),
		judged("two correction messages over one", "1 or more", second.text(2), second.in(atLeast(0.9))),
		judged("ranks down over none down", "about 1", failed.text(2), failed.in(&reach{0.8, 1.25})),
		judged("Lamé tree over binomial tree", "1 or more", shape.text(2), shape.in(atLeast(0.9))),
	}
	return r, nil
}

// meanQuotient is how many times as long as another way one takes, on the average over all sizes with a process for each rank. Both are measured by what MPI_Bcast took meanwhile.
func meanQuotient(all []enginePoint, way, base string) float64 {
	sum, n := 0.0, 0
	for _, p := range all {
		if p.way == way && p.ranks == p.processes {
			sum += p.ratio / find(all, base, p.ranks, false).ratio
			n++
		}
	}
	return sum / float64(n)
}

// ratios of a way to the library's own, with a rank for each process.
func ratios(all []enginePoint, way string, apart bool) *reach {
	r := newReach()
	for _, p := range all {
		if p.way == way && p.apart == apart && p.ranks == p.processes {
			r.add(p.ratio)
		}
	}
	return r
}

// find is the point of a way.
func find(all []enginePoint, way string, ranks int, apart bool) enginePoint {
	for _, p := range all {
		if p.way == way && p.ranks == ranks && p.apart == apart {
			return p
		}
	}
	panic(fmt.Sprintf("paper: %s on %d ranks was not measured", way, ranks))
}

// engineResult is the table and the drawing of both figures.
func engineResult(all []enginePoint, title string) *Result {
	r := &Result{
		Note: fmt.Sprintf("%s, on this machine; MPI_Bcast is that of %s", title, all[0].library),
		Table: Table{Columns: []Column{{Name: "ranks"}, {Name: "processes"}, {Name: "memory", Left: true}, {Name: "way", Left: true}, {Name: "median us", Digits: 1}, {Name: "lower", Digits: 1}, {Name: "upper", Digits: 1},
			{Name: "MPI_Bcast us", Digits: 1}, {Name: "ratio", Digits: 2}, {Name: "least", Digits: 2}, {Name: "most", Digits: 2}, {Name: "verdict", Left: true}}},
		Foot: engineFoot,
	}
	sheet := figure.Sheet{Title: title, Note: all[0].library + ", medians and quartiles", Columns: 2, Figures: []figure.Figure{
		{Title: "a process for each rank", X: figure.Axis{Label: "processes", Log: 2}, Y: figure.Axis{Label: "latency (us)", Log: 10}, Legend: figure.Below},
		{Title: "many ranks in two processes", X: figure.Axis{Label: "ranks", Log: 2}, Y: figure.Axis{Label: "latency (us)", Log: 10}, Legend: figure.Below},
	}}
	colours := make(map[string]int) // of ways: with shared memory and without, it is the same
	for _, p := range all {
		if colours[p.way] == 0 {
			colours[p.way] = len(colours) + 1
		}
		r.Table.add(p.ranks, p.processes, memoryOf(p.apart), p.way, p.ours.median, p.ours.lower, p.ours.upper, p.native.median, p.ratio, p.least, p.most, p.verdict)
		panel := &sheet.Figures[0]
		if p.ranks != p.processes {
			panel = &sheet.Figures[1]
		}
		plot(panel, figure.Series{Name: p.way + apartName(p.apart), Of: colours[p.way], Dashed: p.apart}, p.ranks, p.ours)
	}
	for _, p := range all { // last, so that ways have the same colours in both panels
		if p.way == all[0].way && p.ranks == p.processes {
			plot(&sheet.Figures[0], figure.Series{Name: "MPI_Bcast" + apartName(p.apart), Of: len(colours) + 1, Dashed: p.apart}, p.ranks, p.native)
		}
	}
	sheet.Figures = slices.DeleteFunc(sheet.Figures, func(f figure.Figure) bool { return len(f.Series) == 0 })
	r.Drawing = sheet
	return r
}

func memoryOf(apart bool) string {
	if apart {
		return "apart"
	}
	return "shared"
}

func apartName(apart bool) string {
	if apart {
		return ", apart"
	}
	return ""
}

// plot adds a point to the series of that name, which may be the first.
func plot(f *figure.Figure, series figure.Series, x int, y spread) {
	if math.IsNaN(y.median) {
		return
	}
	point := figure.Point{X: float64(x), Y: y.median, Low: y.lower, High: y.upper}
	for i := range f.Series {
		if f.Series[i].Name == series.Name {
			f.Series[i].Points = append(f.Series[i].Points, point)
			return
		}
	}
	series.Points = []figure.Point{point}
	f.Series = append(f.Series, series)
}
