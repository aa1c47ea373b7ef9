package scenarios

import (
	"context"
	"fmt"
)

// CollectiveRow is a point of the figures of Stengler's thesis: what an operation costs, in several
// ways. Chance has no part in it.
type CollectiveRow struct {
	Operation string     `json:"operation"`
	Ranks     int        `json:"ranks"`
	Numbers   int        `json:"numbers"` // of 8 bytes, in a block
	Costs     []TeamCost `json:"costs"`   // the first is the plain operation
}

// ThesisOperations are those that the thesis measures.
var ThesisOperations = []string{"broadcast", "scatter", "gather", "reduce", "alltoall"}

// OverheadTable measures the operations of the thesis on 1 to most ranks: plain, tolerant and
// optimistic (figures 5.3 to 5.13, but for 5.5). It calls done after each row.
func OverheadTable(ctx context.Context, most int, done func(CollectiveRow)) ([]CollectiveRow, error) {
	var rows []CollectiveRow
	for _, op := range ThesisOperations {
		for ranks := 1; ranks <= most; ranks *= 2 {
			row := CollectiveRow{Operation: op, Ranks: ranks, Numbers: 1}
			if err := row.measure(ctx, "", "strategy=plain", "strategy=tolerant", "strategy=optimistic"); err != nil {
				return rows, err
			}
			rows = append(rows, row)
			done(row)
		}
	}
	return rows, nil
}

// SizeTable measures broadcasts of growing messages on 128 ranks (figure 5.5), where a byte takes a
// nanosecond.
func SizeTable(ctx context.Context, done func(CollectiveRow)) ([]CollectiveRow, error) {
	var rows []CollectiveRow
	for numbers := 1; numbers <= 1<<17; numbers *= 8 {
		row := CollectiveRow{Operation: "broadcast", Ranks: 128, Numbers: numbers}
		if err := row.measure(ctx, "tick=1ns L=1us o=300ns G=1ns", "strategy=plain", "strategy=tolerant", "strategy=optimistic"); err != nil {
			return rows, err
		}
		rows = append(rows, row)
		done(row)
	}
	return rows, nil
}

// reduceWays are the ways to reduce that figure 5.23 compares, and backups.
var reduceWays = []string{"strategy=plain", "strategy=tolerant", "strategy=tolerant backup=all", "strategy=optimistic", "strategy=optimistic backup=all"}

// ReduceTable measures the ways to reduce on 1 to most ranks (figure 5.23). With late, the root fails
// before it combines the last value, and combining takes a hundred ticks; the first cost is that of the
// plain operation without a failure.
func ReduceTable(ctx context.Context, most int, late bool, done func(CollectiveRow)) ([]CollectiveRow, error) {
	var rows []CollectiveRow
	first, extra := 1, ""
	if late {
		first, extra = 4, "combine=100"
	}
	levels := 2
	for ranks := first; ranks <= most; ranks *= 2 {
		row := CollectiveRow{Operation: "reduce", Ranks: ranks, Numbers: 1}
		ways := append([]string(nil), reduceWays...)
		if late {
			for i := range ways[1:] {
				ways[i+1] += fmt.Sprintf(" faults=crash:0@step:iteration#%d", levels)
			}
			levels++
		}
		if err := row.measure(ctx, extra, ways...); err != nil {
			return rows, err
		}
		rows = append(rows, row)
		done(row)
	}
	return rows, nil
}

// measure runs the operation in several ways and compares them to the first.
func (r *CollectiveRow) measure(ctx context.Context, extra string, ways ...string) error {
	for _, way := range ways {
		line := fmt.Sprintf("collective op=%s P=%d n=%d %s %s", r.Operation, r.Ranks, r.Numbers, way, extra)
		cost, err := measureCost(ctx, way, line, Options{})
		if err != nil {
			return err
		}
		r.Costs = append(r.Costs, cost)
	}
	relate(r.Costs)
	return nil
}

// QueryRow is a point of figures 5.17 to 5.21 and 5.24: TPC-H query 3 with a failure in one of its
// phases.
type QueryRow struct {
	Ranks int    `json:"ranks"`
	Phase string `json:"phase"` // in which a rank fails; "": none does
	// Costs are those of Run.Costs for tolerant operations, then those of optimistic ones, and of
	// tolerant ones that restore ten times as fast.
	Costs []TeamCost `json:"costs"`
}

// QueryPhases are the operations of the query, in order.
var QueryPhases = []string{"gather", "broadcast", "alltoallv", "reduce"}

// queryLine is a machine on which each rank generates a gigabyte in 18 seconds, scaled: one row
// stands for a thousand, and a byte takes a microsecond.
const queryLine = "tpch-q3 P=%d sf=%g tick=1us L=2us o=1us G=1us generate=2.3s work=10ms"

// QueryTable measures the query with a gigabyte for each rank on 4 to most ranks, without a failure
// and with one of rank P/2 in each phase.
func QueryTable(ctx context.Context, most int, done func(QueryRow)) ([]QueryRow, error) {
	var rows []QueryRow
	for _, phase := range append([]string{""}, QueryPhases...) {
		for ranks := 4; ranks <= most; ranks *= 2 {
			row, err := measureQuery(ctx, ranks, phase)
			if err != nil {
				return rows, err
			}
			rows = append(rows, row)
			done(row)
		}
	}
	return rows, nil
}

func measureQuery(ctx context.Context, ranks int, phase string) (QueryRow, error) {
	line := fmt.Sprintf(queryLine, ranks, float64(ranks)/1000)
	if phase != "" {
		line += fmt.Sprintf(" faults=crash:%d@step:%s", ranks/2, phase)
	}
	run, err := ParseLine(line)
	if err != nil {
		return QueryRow{}, err
	}
	row := QueryRow{Ranks: ranks, Phase: phase}
	if row.Costs, err = run.Costs(ctx, Options{}); err != nil {
		return row, err
	}
	for _, way := range [][2]string{{"optimistic", " strategy=optimistic"}, {"from replicas", " restore=230ms"}} {
		cost, err := measureCost(ctx, way[0], line+way[1], Options{})
		if err != nil {
			return row, err
		}
		row.Costs = append(row.Costs, cost)
	}
	relate(row.Costs)
	return row, nil
}

// Cost finds a cost by its name.
func (r QueryRow) Cost(name string) (TeamCost, bool) {
	for _, c := range r.Costs {
		if c.Name == name {
			return c, true
		}
	}
	return TeamCost{}, false
}
