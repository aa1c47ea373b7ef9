package scenarios

import (
	"context"
	"fmt"
)

// GossipRow is a line of the table in figure 7 of Corrected Gossip: what an algorithm costs on
// 4,096 ranks with L=2 and o=1, ours beside the paper's.
type GossipRow struct {
	Algorithm string `json:"algorithm"`
	Failures  int    `json:"failures"` // ranks that are down
	Line      string `json:"line"`
	// Many is measured as the paper assumes, with ranks that receive many messages at once;
	// One under LogP, where they receive one at a time.
	Many Means `json:"many"`
	One  Means `json:"one"`

	PaperLatency float64 `json:"paper_latency"`
	PaperWork    float64 `json:"paper_work"`

	latency func(Means) float64
	sure    bool // chance has no part in it: one run tells all
}

// Latency is what the paper calls so: when the last rank has left the algorithm, the last
// message was received, or the root knows that all have it.
func (r *GossipRow) Latency(m Means) float64 { return r.latency(m) }

func lastExit(m Means) float64    { return m.Exit }
func lastReceive(m Means) float64 { return m.Quiescence }
func rootExit(m Means) float64    { return m.RootExit }

// gossipTable are the rows of figure 7, as far as they follow from a line.
var gossipTable = []GossipRow{
	{Algorithm: "GOS", Line: "gossip variant=gos T=50", PaperLatency: 53, PaperWork: 95418, latency: lastExit},
	{Algorithm: "GOS", Failures: 3, Line: "gossip variant=gos T=50", PaperLatency: 53, PaperWork: 95331, latency: lastExit},
	{Algorithm: "OCG", Line: "gossip variant=ocg T=32 C=7", PaperLatency: 42, PaperWork: 38400, latency: lastReceive},
	{Algorithm: "OCG", Failures: 3, Line: "gossip variant=ocg T=32 C=7", PaperLatency: 42, PaperWork: 38355, latency: lastReceive},
	{Algorithm: "CCG", Line: "gossip variant=ccg T=36", PaperLatency: 44, PaperWork: 19057, latency: lastExit},
	{Algorithm: "CCG", Failures: 3, Line: "gossip variant=ccg T=34", PaperLatency: 46, PaperWork: 16952, latency: lastExit},
	{Algorithm: "FCG", Line: "gossip variant=fcg f=1 T=37", PaperLatency: 48, PaperWork: 23153, latency: lastExit},
	{Algorithm: "FCG", Failures: 3, Line: "gossip variant=fcg f=1 T=37", PaperLatency: 51, PaperWork: 23101, latency: lastExit},
	{Algorithm: "BIG", Line: "big", PaperLatency: 60, PaperWork: 49152, latency: lastReceive, sure: true},
	{Algorithm: "BIG", Failures: 3, Line: "big", PaperLatency: 60, PaperWork: 49152, latency: lastReceive},
	{Algorithm: "BFB", Line: "bfb", PaperLatency: 96, PaperWork: 4096, latency: rootExit, sure: true},
	{Algorithm: "BFB", Failures: 3, Line: "bfb", PaperLatency: 144, PaperWork: 8192, latency: rootExit},
}

// GossipTable measures the rows, each with so many runs as far as chance has a part in it, and
// calls done after each.
func GossipTable(ctx context.Context, runs int, seed uint64, done func(GossipRow)) ([]GossipRow, error) {
	var rows []GossipRow
	for _, row := range gossipTable {
		row.Line = fmt.Sprintf("%s P=4096 L=2 o=1", row.Line)
		if row.Failures > 0 {
			row.Line += fmt.Sprintf(" faults=crash:~%d", row.Failures)
		}
		runs := runs
		if row.sure {
			runs = 1
		}
		var err error
		if row.Many, err = Measure(ctx, row.Line+" receive=many", runs, seed); err != nil {
			return rows, err
		}
		if row.One, err = Measure(ctx, row.Line, runs, seed); err != nil {
			return rows, err
		}
		rows = append(rows, row)
		done(row)
	}
	return rows, nil
}
