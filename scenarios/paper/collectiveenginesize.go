package paper

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Figures 5.5 and 5.14 of the thesis set operations with more than a number beside the library's own: broadcasts of growing messages, and an all-to-all of 4 MB
// for each process.

// numberSize is how many bytes each of the n numbers of a line has.
const numberSize = 8

// Messages that take next to no time themselves, and some beside which an agreement takes none.
const (
	shortMessage = 1 << 10
	longMessage  = 1 << 20
)

// wholeBlocks is how many bytes each process has for all others together, in an all-to-all.
const wholeBlocks = 4 << 20

// broadcastProcesses is on how many processes messages grow, and broadcastNumbers how many numbers they have.
func (o Options) broadcastProcesses() int {
	if o.Size == campaign.Quick {
		return 4
	}
	return 8
}

func (o Options) broadcastNumbers() []int {
	if o.Size == campaign.Quick {
		return []int{1, 1 << 10, 1 << 17}
	}
	return []int{1, 1 << 4, 1 << 7, 1 << 10, 1 << 14, 1 << 17}
}

// sizedPoint is an operation of so many numbers, as a plain one and as a tolerant one.
type sizedPoint struct {
	collectivePoint
	numbers int
}

const sizedFoot = `From the instant at which all are to begin until the last process has its result, in microseconds. A broadcast has so many bytes, an all-to-all
so many from each process to each, 4 MB from each in all. over MPI: medians of what took turns in one job.`

// sizesBesideMPI is figures 5.5 and 5.14 with the library's own.
func sizesBesideMPI(ctx context.Context, o Options) (*Result, error) {
	var all []*sizedPoint
	for _, n := range o.broadcastNumbers() {
		all = append(all, &sizedPoint{collectivePoint{operation: "broadcast", processes: o.broadcastProcesses()}, n})
	}
	for _, processes := range o.processSizes() {
		all = append(all, &sizedPoint{collectivePoint{operation: "alltoall", processes: processes}, wholeBlocks / numberSize / processes})
	}
	e, err := newEngine(o, "collectives-mpi-size", 2*len(all))
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if err := e.bothWays(ctx, &p.collectivePoint, fmt.Sprintf(" n=%d", p.numbers)); err != nil {
			return nil, err
		}
	}
	return sizedResult(all), nil
}

func sizedResult(all []*sizedPoint) *Result {
	r := &Result{
		Note: "Collective operations of many bytes on this machine, beside those of " + all[0].plain.library,
		Table: Table{Columns: []Column{{Name: "operation", Left: true}, {Name: "processes"}, {Name: "bytes"}, {Name: "MPI us", Digits: 1}, {Name: "plain us", Digits: 1}, {Name: "tolerant us", Digits: 1},
			{Name: "plain/MPI", Digits: 2}, {Name: "tolerant/MPI", Digits: 2}, {Name: "tolerant/plain", Digits: 2}, {Name: "verdicts", Left: true}}},
		Foot: sizedFoot,
	}
	time := figure.Axis{Label: "run time (us)", Log: 10}
	sheet := figure.Sheet{Title: "Collective operations of many bytes beside MPI's own", Note: all[0].plain.library + ", medians and quartiles", Columns: 2, Figures: []figure.Figure{
		{Title: fmt.Sprintf("broadcast on %d processes", all[0].processes), X: figure.Axis{Label: "message (bytes)", Log: 2}, Y: time},
		{Title: "all-to-all of 4 MB a process", X: figure.Axis{Label: "processes", Log: 2}, Y: time},
	}}
	short, long, over, blocks := newReach(), newReach(), newReach(), newReach()
	for _, p := range all {
		bytes := numberSize * p.numbers
		r.Table.add(p.operation, p.processes, bytes, p.plain.native.median, p.plain.ours.median, p.tolerant.ours.median, p.plain.ratio, p.tolerant.ratio, p.cost(), p.verdicts())
		panel, x := &sheet.Figures[0], bytes
		if p.operation == "alltoall" {
			panel, x = &sheet.Figures[1], p.processes
			blocks.add(p.plain.ratio)
		} else {
			over.add(p.tolerant.ratio)
			switch {
			case bytes <= shortMessage:
				short.add(p.cost())
			case bytes >= longMessage:
				long.add(p.cost())
			}
		}
		p.plot(panel, x)
	}
	r.Drawing = sheet
	r.Claims = []Claim{
		judged("broadcast: tolerant over plain, short messages", "several times", short.text(2), short.in(above(1.5))),
		judged("broadcast: tolerant over plain, long messages", "about 1, as it adds a constant", long.text(2), long.in(&reach{0.8, 1.25})),
		judged("broadcast: tolerant over MPI", "not constant", over.text(2), over.quotient().in(atLeast(1.5))),
		judged("all-to-all of 4 MB a process: plain over MPI", "a little less than 1", blocks.text(2), blocks.in(&reach{0.5, 1})),
	}
	return r
}
