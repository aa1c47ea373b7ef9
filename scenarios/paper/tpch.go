package paper

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// queryPhases are the operations of TPC-H query 3 in which a rank fails; none does in the first.
var queryPhases = []string{"none", "gather", "broadcast", "alltoallv", "reduce"}

// queryLine is a machine on which each rank generates a gigabyte in 18 seconds, scaled: one row
// stands for a thousand, and a byte takes a microsecond.
const queryLine = "tpch-q3 P=%d sf=%g tick=1us L=2us o=1us G=1us generate=2.3s work=10ms"

// The ways to a result besides plain, tolerant and optimistic.
const (
	replicas = "replicas"
	restart  = "restart"
	fresh    = "fresh"
)

// queryTimes is how long the query takes on so many ranks if rank P/2 fails in some phase.
type queryTimes struct {
	phase string
	ranks int
	took  map[string]float64 // in seconds, by the way; those of a restart are missing if nobody fails
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

// measureQueries measures the query with a gigabyte for each rank on machines of some sizes. It is no campaign, since a
// restart on fresh ranks is put together from two runs.
func measureQueries(ctx context.Context, sizes []int) ([]queryTimes, error) {
	var all []queryTimes
	for _, phase := range queryPhases {
		for _, ranks := range sizes {
			times, err := measureQuery(ctx, phase, ranks)
			if err != nil {
				return nil, err
			}
			all = append(all, times)
		}
	}
	return all, nil
}

func measureQuery(ctx context.Context, phase string, ranks int) (times queryTimes, err error) {
	line := fmt.Sprintf(queryLine, ranks, float64(ranks)/1000)
	if phase != "none" {
		line += fmt.Sprintf(" faults=crash:%d@step:%s", ranks/2, phase)
	}
	costs, err := catalog.Costs(ctx, must(catalog.ParseLine(line)), scenarios.Options{})
	if err != nil {
		return times, err
	}
	times = queryTimes{phase, ranks, make(map[string]float64)}
	for _, c := range costs {
		way, known := queryCosts[c.Name]
		if !known {
			panic(fmt.Sprintf("paper: %s: a cost of %q, which this table does not have", line, c.Name))
		}
		times.took[way] = seconds(c.Time)
	}
	if times.took[optimistic], err = secondsOf(ctx, line+" strategy=optimistic"); err != nil {
		return times, err
	}
	times.took[replicas], err = secondsOf(ctx, line+" restore=230ms")
	return times, err
}

// secondsOf is how long a line takes that must come to its result.
func secondsOf(ctx context.Context, line string) (float64, error) {
	outcome, err := must(catalog.ParseLine(line)).Execute(ctx, scenarios.Options{})
	if err != nil {
		return 0, err
	}
	if outcome.Verdict() != guarantee.Held {
		return 0, fmt.Errorf("paper: no result, or a wrong one: %s", line)
	}
	return seconds(outcome.Completion.At), nil
}

// seconds of a machine whose tick is a microsecond.
func seconds(t clock.Time) float64 { return float64(t) / 1e6 }
