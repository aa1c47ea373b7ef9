package catalog

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// What there is beside the runs says the same as ever: tuned gossip, costs of computations, stabilization times, tables that are refused and
// files of machines.
func TestWhatIsToldBesideTheRunsStaysTheSame(t *testing.T) {
	var all strings.Builder
	for _, words := range tunedWords {
		fmt.Fprintf(&all, "tune %s\n%s", words, toldOfTuning(words))
	}
	for _, text := range costedLines {
		fmt.Fprintf(&all, "costs %s\n", text)
		costs, err := Costs(t.Context(), mustParse(t, text), scenarios.Options{})
		for _, c := range costs {
			fmt.Fprintf(&all, "\t%+v\n", c)
		}
		tellError(&all, err)
	}
	for _, text := range stabilizedLines {
		x, err := MeasureStabilization(t.Context(), text)
		fmt.Fprintf(&all, "stabilization %s\n\t%+v\n", text, x)
		tellError(&all, err)
	}
	for _, text := range badTables {
		rows, err := ReadTable(strings.NewReader(tableHead + text))
		fmt.Fprintf(&all, "table of %d good rows in %d\n", len(rows), strings.Count(text, "\n"))
		tellError(&all, err)
	}
	for _, service := range []float64{0, 0.4, 0.6, 9, 49, 50, 51} {
		is := calibration.Exact
		file := MachineOf(calibration.Estimate{Latency: is(50), Overhead: is(4), Delivery: is(58), Gap: is(5), PerByte: is(0.5), Service: is(service)}, 8)
		delete(file.Measured, "when")
		fmt.Fprintf(&all, "machine %+v\n", file)
	}
	requireGolden(t, "testdata/beside.golden", all.String())
}

// Whoever has no time any more is told so, and gets nothing.
func TestWhatIsBesideTheRunsStopsWithThem(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	costs, err := Costs(stopped, mustParse(t, "collective P=4"), scenarios.Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, costs)
	x, err := MeasureStabilization(stopped, "membership P=8 faults=crash:1@t0")
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, x)
	row := readTable(t, tableHead+"tree,binomial,2,1,4,,,,3,4,4,0\n")[0]
	cost, err := row.Check(stopped, scenarios.NewExecutor(scenarios.Options{}))
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, cost)
	require.Equal(t, []string{"tree", "ack", "sync-checked", "sync-checked-inorder", "checked", "checked-all", "opp", "opp-opt"}, Families())
}

func tellError(b *strings.Builder, err error) {
	if err != nil {
		fmt.Fprintf(b, "\t%s\n", strings.ReplaceAll(err.Error(), "; ", "\n\t"))
	}
}

var tunedWords = []string{
	"", "N=64 L=3 o=2 g=4 failures=5 f=2", "N=64 margin=0", "N=64 margin=3 delta=0.01", "N=4 f=1", "N=5 f=1", "N=5 f=0 failures=2", "N=100 variant=gos", "N=100 variant=fcg f=3",
	"N=100 psi=0.1 runs=1000", "N=100 psi=0.1 runs=1000 delta=0.1", "N=100 psi=0.1 runs=0 delta=0.1", "N=100 psi=0.1", "N=100 psi=0.99 runs=1", "N=100 psi=1 runs=4", "N=2 failures=1",
	"N=2 failures=2", "N=100 psi=0.000000000000001 runs=4611686018427387904", "N=100 psi=0.5 runs=4611686018427387904", "N=1 L=0 o=0 runs=x", "margin=100000000", "P=70 L=9",
}

// toldOfTuning are the plans and their lines.
func toldOfTuning(words string) string {
	var b strings.Builder
	tuned, err := TuneGossip([]string{words})
	if err == nil {
		fmt.Fprintf(&b, "\t%+v, %d failures, delta %.6g, f %d, notes %q\n", tuned.Machine, tuned.Failures, tuned.Delta, tuned.OnlineFailures, tuned.Notes)
	}
	for _, plan := range tuned.Plans {
		fmt.Fprintf(&b, "\t%s\n", tuned.LineOf(plan))
	}
	tellError(&b, err)
	return b.String()
}

var costedLines = []string{
	"broadcast P=8", "collective P=8", "collective P=8 op=allreduce faults=crash:3@t5", "collective P=8 op=allreduce restart=70 faults=crash:3@t5", "collective P=8 op=gather faults=crash:3@t900",
	"collective P=1 op=barrier", "collective P=1 op=gather faults=crash:0@t0", "collective P=6 op=alltoall strategy=restart restart=9 faults=crash:1@t3,crash:2@t30",
	"samplesort P=5 n=900 restart=100 faults=crash:2@step:alltoallv", "tpch-q3 P=4 sf=0.0002 faults=crash:0@step:reduce",
	"collective P=4 op=barrier detector=heartbeat faults=hang:2@t9",
}

var stabilizedLines = []string{
	"membership P=8", "membership P=15 faults=crash:3@t0", "membership P=15 compute=7 a=4 faults=crash:0@t0", "membership P=27 network=torus:3x3x3 faults=crash:4@t0",
	"membership P=16 network=fattree:4x2 compute=3 faults=crash:4@t0", "membership P=16 network=switch:5 compute=3 faults=crash:4@t0", "membership P=16 g=9 G=1 faults=crash:4@t0,crash:0@t2000",
	"membership P=9 members=8 join=8@t50", "broadcast P=8", "membership P=0",
}

var badTables = []string{
	"tree,binomial,2,1,4,,,,-1,-1,-1,-1\n", "tree,kary,2,1,4,3,,,0,0,0,0\n", "opp,kary,2,1,4,3,x,,1,1,1,1\nnone,kary,2,1,4,3,1,,1,1,1,1\nopp,kary,2,1,4,3,1,3 2,1,1,1,1\n",
	strings.Repeat("tree,binomial,2,1,4,,,,x,1,1,0\n", 19), strings.Repeat("tree,binomial,2,1,4,,,,x,1,1,0\n", 21), ",,,,,,,,,,,\n", "tree,binomial,2,1,,,,,1,1,1,0\n", "tree,binomial,2,1,4,,,0 1 2 3,1,1,1,0\n",
}
