package paper

import (
	"context"
	"fmt"
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// queryPhases are the operations of TPC-H query 3 in which a rank fails; none does in the first.
var queryPhases = []string{"none", "gather", "broadcast", "alltoallv", "reduce"}

// queryMachine is a machine on which each rank has a gigabyte, which it generates in 18 seconds, and a byte takes a nanosecond. How
// many ranks there are, and the scale of the database, are left open.
type queryMachine struct {
	sizes   []int   // in ranks
	note    string  // on how much of the gigabyte there is
	line    string  // for the number of ranks and the scale
	replica string  // the key of ranks that restore rows from a replica, ten times as fast
	scale   float64 // of the database, for each rank
	second  float64 // in ticks
}

// wholeQuery has all rows. On 64 ranks a run takes about 200 MB of memory, most of it for the keys of customers that all get from all.
var wholeQuery = queryMachine{
	sizes:   []int{4, 8, 16, 32, 64},
	line:    "tpch-q3 P=%d sf=%g tick=1ns L=2us o=1us G=1ns generate=2.3ms work=10us",
	replica: " restore=230us",
	scale:   1, second: 1e9,
}

// scaledQuery has a row for each thousand, which takes a thousand times as long, and so does a byte.
var scaledQuery = queryMachine{
	sizes:   []int{4, 8, 16, 32, 64},
	note:    ", one row for a thousand",
	line:    "tpch-q3 P=%d sf=%g tick=1us L=2us o=1us G=1us generate=2.3s work=10ms",
	replica: " restore=230ms",
	scale:   0.001, second: 1e6,
}

// The ways to a result besides plain, tolerant and optimistic.
const (
	replicas = "replicas"
	restart  = "restart"
	fresh    = "fresh"
)

// queryTimes is how long the query takes on so many ranks if rank P/2 fails in some phase.
type queryTimes struct {
	phase  string
	ranks  int
	took   map[string]float64 // in seconds, by the way; those of a restart are missing if nobody fails
	answer *scenarios.Answer
}

// queryCosts are the ways that a run tells the cost of, by its words for them. Of two for the same way, the
// second comes later, if there are failures.
var queryCosts = map[string]string{
	"plain, no failures":          plain,
	"this line, no failures":      tolerant,
	"this line":                   tolerant,
	"restarted on the ranks left": restart,
	"restarted on fresh ranks":    fresh,
}

// measureQueries measures the query on machines of some sizes. It is no campaign, since a
// restart on fresh ranks is put together from two runs.
func measureQueries(ctx context.Context, m queryMachine, o Options) ([]queryTimes, error) {
	var all []queryTimes
	known := make(map[int][]scenarios.TeamCost) // without failures
	named := &campaign.Campaign{Name: "tpch-q3"}
	begin, done := time.Now(), 0
	for _, phase := range queryPhases {
		for _, ranks := range m.sizes {
			times, costs, err := m.measure(ctx, phase, ranks, known[ranks])
			if err != nil {
				return nil, err
			}
			known[ranks] = costs
			all = append(all, times)
			done += queryRuns(phase)
			if len(all) == 1 && o.Expect != nil && o.Size == campaign.Full {
				o.Expect(named, m.runs()-done, m.estimate(time.Since(begin)))
			}
			if o.Progress != nil {
				o.Progress(named, done, m.runs())
			}
		}
	}
	return all, nil
}

// queryRuns is how many runs a row of the table takes.
func queryRuns(phase string) int {
	if phase == "none" {
		return 4
	}
	return 5 // those without failures are known
}

func (m queryMachine) runs() (runs int) {
	for _, phase := range queryPhases {
		runs += queryRuns(phase) * len(m.sizes)
	}
	return runs
}

// estimate is how long all rows after the first will take: runs take as long as there are ranks.
func (m queryMachine) estimate(first time.Duration) time.Duration {
	perRun := first / time.Duration(queryRuns(queryPhases[0])*m.sizes[0])
	all := time.Duration(0)
	for _, phase := range queryPhases {
		for _, ranks := range m.sizes {
			all += perRun * time.Duration(queryRuns(phase)*ranks)
		}
	}
	return all - first
}

// measure makes a row of the table. What it costs without failures may be known.
func (m queryMachine) measure(ctx context.Context, phase string, ranks int, known []scenarios.TeamCost) (times queryTimes, costs []scenarios.TeamCost, err error) {
	line := fmt.Sprintf(m.line, ranks, float64(ranks)*m.scale)
	if phase != "none" {
		line += fmt.Sprintf(" faults=crash:%d@step:%s", ranks/2, phase)
	}
	costs, err = catalog.Costs(ctx, must(catalog.ParseLine(line)), scenarios.Options{}, known...)
	if err != nil {
		return times, nil, err
	}
	times = queryTimes{phase: phase, ranks: ranks, took: make(map[string]float64)}
	for _, c := range costs {
		way, known := queryCosts[c.Name]
		if !known {
			panic(fmt.Sprintf("paper: %s: a cost of %q, which this table does not have", line, c.Name))
		}
		times.took[way] = m.seconds(c.Time)
	}
	for _, way := range []struct{ name, key string }{{optimistic, " strategy=optimistic"}, {replicas, m.replica}} {
		outcome, err := resultOf(ctx, line+way.key)
		if err != nil {
			return times, nil, err
		}
		times.took[way.name], times.answer = m.seconds(outcome.Completion.At), outcome.Answer
	}
	return times, costs, nil
}

// resultOf runs a line that must come to its result.
func resultOf(ctx context.Context, line string) (*scenarios.Outcome, error) {
	outcome, err := must(catalog.ParseLine(line)).Execute(ctx, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	if outcome.Verdict() != guarantee.Held {
		return nil, fmt.Errorf("paper: no result, or a wrong one: %s", line)
	}
	return outcome, nil
}

func (m queryMachine) seconds(t clock.Time) float64 { return float64(t) / m.second }
