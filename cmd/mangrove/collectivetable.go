package main

import (
	"context"
	"fmt"
	"io"

	"github.com/mangrove-emu/mangrove/scenarios"
)

// mostPaperRanks is the largest machine of the tables about collectives.
const mostPaperRanks = 1024

// thesisFactors are the average factors of fault tolerance over the thesis' own plain version, for 1
// to 128 processes. For scatter and gather it gives those over MPI's own version, of both; these are
// the quotients.
var thesisFactors = map[string]string{"broadcast": "4.60", "scatter": "3.74*", "gather": "3.95*", "reduce": "1.34", "alltoall": "-"}

// collectiveTable prints figures 5.3 to 5.13 as a table.
func (a *app) collectiveTable(ctx context.Context, f paperFlags) error {
	var averages []average
	head := fmt.Sprintf("%-10s %5s %9s %9s %6s %9s %6s %9s\n", "operation", "P", "plain", "tolerant", "times", "optimist.", "times", "messages")
	_, err := printRows(a.stdout, f, "L=2 o=1, one number of 8 bytes; ticks until the last rank is done\n\n"+head,
		func(done func(scenarios.CollectiveRow)) ([]scenarios.CollectiveRow, error) {
			return scenarios.OverheadTable(ctx, mostPaperRanks, done)
		},
		func(r scenarios.CollectiveRow) string {
			plain, tolerant, optimistic := r.Costs[0], r.Costs[1], r.Costs[2]
			averages = addAverage(averages, r)
			return fmt.Sprintf("%-10s %5d %9d %9d %6s %9d %6s %9s\n", r.Operation, r.Ranks,
				plain.Time, tolerant.Time, times(r, tolerant), optimistic.Time, times(r, optimistic), timesMessages(r, tolerant))
		})
	if err != nil || f.json {
		return err
	}
	fmt.Fprintf(a.stdout, "\naverage for P=2 to 128, tolerant over plain   ours  thesis\n")
	for _, x := range averages {
		fmt.Fprintf(a.stdout, "%-43s %6.2f %7s\n", x.operation, x.sum/float64(x.count), thesisFactors[x.operation])
	}
	fmt.Fprintln(a.stdout, "* 4.90 over 1.31 and 5.09 over 1.29, both over MPI's own operation")
	return nil
}

// average of factors of an operation, over the sizes that the thesis has.
type average struct {
	operation string
	sum       float64
	count     int
}

func addAverage(all []average, r scenarios.CollectiveRow) []average {
	if len(all) == 0 || all[len(all)-1].operation != r.Operation {
		all = append(all, average{operation: r.Operation})
	}
	if r.Ranks > 1 && r.Ranks <= 128 {
		all[len(all)-1].sum += r.Costs[1].TimesTime
		all[len(all)-1].count++
	}
	return all
}

// times is a factor, if there is something to compare with.
func times(r scenarios.CollectiveRow, c scenarios.TeamCost) string {
	if r.Costs[0].Time == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", c.TimesTime)
}

func timesMessages(r scenarios.CollectiveRow, c scenarios.TeamCost) string {
	if r.Costs[0].Messages == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", c.TimesMessages)
}

// collectiveSizes prints figure 5.5 as a table.
func (a *app) collectiveSizes(ctx context.Context, f paperFlags) error {
	head := fmt.Sprintf("%9s %11s %11s %7s %11s %7s\n", "bytes", "plain", "tolerant", "more", "optimistic", "more")
	_, err := printRows(a.stdout, f, "broadcast on 128 ranks, L=1us o=300ns G=1ns; microseconds\n\n"+head,
		func(done func(scenarios.CollectiveRow)) ([]scenarios.CollectiveRow, error) {
			return scenarios.SizeTable(ctx, done)
		},
		func(r scenarios.CollectiveRow) string {
			us := func(i int) float64 { return float64(r.Costs[i].Time) / 1000 }
			return fmt.Sprintf("%9d %11.1f %11.1f %7.1f %11.1f %7.1f\n", 8*r.Numbers, us(0), us(1), us(1)-us(0), us(2), us(2)-us(0))
		})
	return err
}

// collectiveReduce prints figure 5.23 as a table, and what a late failure adds.
func (a *app) collectiveReduce(ctx context.Context, f paperFlags) error {
	head := fmt.Sprintf("%5s %7s %9s %9s %11s %11s\n", "P", "plain", "tolerant", "+backup", "optimistic", "+backup")
	print := func(r scenarios.CollectiveRow) string {
		return fmt.Sprintf("%5d %7d %9d %9d %11d %11d\n", r.Ranks, r.Costs[0].Time, r.Costs[1].Time, r.Costs[2].Time, r.Costs[3].Time, r.Costs[4].Time)
	}
	for _, late := range []bool{false, true} {
		title := "reduce, L=2 o=1; ticks until the last rank is done\n\n"
		if late {
			title = "\nthe root fails before it combines the last value (plain: nobody fails); combining takes 100 ticks\n\n"
		}
		_, err := printRows(a.stdout, f, title+head, func(done func(scenarios.CollectiveRow)) ([]scenarios.CollectiveRow, error) {
			return scenarios.ReduceTable(ctx, mostPaperRanks, late, done)
		}, print)
		if err != nil {
			return err
		}
	}
	return nil
}

// mostQueryRanks is the largest machine of the query's table.
const mostQueryRanks = 64

// queryTable prints figures 5.17 to 5.21 and 5.24 as a table.
func (a *app) queryTable(ctx context.Context, f paperFlags) error {
	head := fmt.Sprintf("%-10s %4s %7s %9s %9s %11s %9s %9s\n", "failure in", "P", "plain", "tolerant", "replicas", "optimistic", "restart", "fresh")
	_, err := printRows(a.stdout, f, "TPC-H query 3, a gigabyte for each rank; seconds until the last rank is done\n\n"+head,
		func(done func(scenarios.QueryRow)) ([]scenarios.QueryRow, error) {
			return scenarios.QueryTable(ctx, mostQueryRanks, done)
		}, queryRow)
	if err == nil && !f.json {
		_, err = fmt.Fprint(a.stdout, queryFoot)
	}
	return err
}

const queryFoot = `
plain       without failures, without any tolerance
tolerant    the partition of the failed rank is generated again, in 18 seconds
replicas    the same, restored ten times as fast
optimistic  as tolerant, with one agreement an operation until a rank fails
restart     everything again on the ranks that are left
fresh       everything again on as many ranks as before, as in the thesis; starting
            the job again takes no time here
`

func queryRow(r scenarios.QueryRow) string {
	seconds := func(name string) string {
		c, ok := r.Cost(name)
		if !ok {
			return "-"
		}
		return fmt.Sprintf("%.3f", float64(c.Time)/1e6)
	}
	phase, tolerant := r.Phase, "this line"
	if phase == "" {
		phase, tolerant = "none", "this line, no failures"
	}
	return fmt.Sprintf("%-10s %4d %7s %9s %9s %11s %9s %9s\n", phase, r.Ranks, seconds("plain, no failures"), seconds(tolerant),
		seconds("from replicas"), seconds("optimistic"), seconds("restarted on the ranks left"), seconds("restarted on fresh ranks"))
}

// printRows prints a table row by row as it is measured, or all of it as JSON.
func printRows[R any](w io.Writer, f paperFlags, head string, measure func(done func(R)) ([]R, error), text func(R) string) ([]R, error) {
	if f.json {
		rows, err := measure(func(R) {})
		if err != nil {
			return nil, err
		}
		return rows, printJSON(w, rows)
	}
	fmt.Fprint(w, head)
	return measure(func(r R) { fmt.Fprint(w, text(r)) })
}
