package paper

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/report/figure"
)

// Figures 5.3 to 5.13 of the thesis set a tolerant operation beside the same without tolerance and beside the library's own.

// operationBeside is one operation, and what the thesis has found on average: how many times what MPI takes the tolerant one takes, and how many times what it takes
// without tolerance. 0: it does not say.
type operationBeside struct {
	name               string
	overMPI, overPlain float64
}

var operationsBeside = []operationBeside{
	{"broadcast", 11.69, 4.60},
	{"scatter", 4.90, 0},
	{"gather", 5.09, 0},
	{"reduce", 8.28, 1.34},
	{"alltoall", 0, 0},
}

// collectivePoint is one operation on so many processes in both ways.
type collectivePoint struct {
	operation       string
	processes       int
	plain, tolerant beside
}

const collectiveEngineFoot = `From the instant at which all are to begin until the last process has its result, in microseconds; a number of 8 bytes for each process, or each pair.
One call a run: processes have slept before it, the library's own as well as ours. over MPI: medians of what took turns in one job.`

// besideMPIFigure is figures 5.3 to 5.13 with the library's own.
func besideMPIFigure(ctx context.Context, o Options) (*Result, error) {
	sizes := o.processSizes()
	e, err := newEngine(o, "collectives-mpi", 2*len(operationsBeside)*len(sizes))
	if err != nil {
		return nil, err
	}
	var all []collectivePoint
	for _, op := range operationsBeside {
		for _, n := range sizes {
			p := collectivePoint{operation: op.name, processes: n}
			if err := e.bothWays(ctx, &p, ""); err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return besideMPIResult(all), nil
}

// bothWays runs the plain and the tolerant operation, with words that say more about it.
func (e *engine) bothWays(ctx context.Context, p *collectivePoint, more string) (err error) {
	line := func(strategy string) string {
		return fmt.Sprintf("collective op=%s strategy=%s P=%d%s", p.operation, strategy, p.processes, more)
	}
	if p.plain, err = e.run(ctx, p.processes, false, line(plain)); err == nil {
		p.tolerant, err = e.run(ctx, p.processes, false, line(tolerant))
	}
	return err
}

// cost is how many times as long the tolerant operation takes.
func (p *collectivePoint) cost() float64 { return p.tolerant.ours.median / p.plain.ours.median }

// verdicts are those of the plain and of the tolerant operation, if they differ.
func (p *collectivePoint) verdicts() string {
	if p.plain.verdict == p.tolerant.verdict {
		return p.plain.verdict
	}
	return p.plain.verdict + ", " + p.tolerant.verdict
}

// plot adds the operation to the curves of a figure.
func (p *collectivePoint) plot(f *figure.Figure, x int) {
	plot(f, figure.Series{Name: "MPI"}, x, p.plain.native)
	plot(f, figure.Series{Name: plain}, x, p.plain.ours)
	plot(f, figure.Series{Name: tolerant}, x, p.tolerant.ours)
}

func besideMPIResult(all []collectivePoint) *Result {
	r := &Result{
		Note: "Collective operations on this machine, beside those of " + all[0].plain.library,
		Table: Table{Columns: []Column{{Name: "operation", Left: true}, {Name: "processes"}, {Name: "MPI us", Digits: 1}, {Name: "plain us", Digits: 1}, {Name: "tolerant us", Digits: 1},
			{Name: "plain/MPI", Digits: 2}, {Name: "tolerant/MPI", Digits: 2}, {Name: "tolerant/plain", Digits: 2}, {Name: "verdicts", Left: true}}},
		Foot: collectiveEngineFoot,
	}
	sheet := figure.Sheet{Title: "Collective operations beside MPI's own", Note: all[0].plain.library + ", medians and quartiles", Columns: 3}
	for _, op := range operationsBeside {
		panel := figure.Figure{Title: op.name, X: figure.Axis{Label: "processes", Log: 2}, Y: figure.Axis{Label: "run time (us)", Log: 10}}
		overMPI, overPlain, n := 0.0, 0.0, 0.0
		for _, p := range all {
			if p.operation != op.name {
				continue
			}
			cost := p.cost()
			r.Table.add(p.operation, p.processes, p.plain.native.median, p.plain.ours.median, p.tolerant.ours.median, p.plain.ratio, p.tolerant.ratio, cost, p.verdicts())
			p.plot(&panel, p.processes)
			overMPI, overPlain, n = overMPI+p.tolerant.ratio, overPlain+cost, n+1
		}
		sheet.Figures = append(sheet.Figures, panel)
		r.Claims = append(r.Claims, op.claims(overMPI/n, overPlain/n)...)
	}
	r.Drawing = sheet
	return r
}

// claims compare averages over all sizes. The thesis had nodes of their own; so what is compared is only whether it is of the same order, within a factor of three.
func (o operationBeside) claims(overMPI, overPlain float64) (all []Claim) {
	add := func(what string, paper, ours float64) {
		if paper > 0 {
			all = append(all, judged(fmt.Sprintf("%s: tolerant over %s, mean", o.name, what), fmt.Sprintf("%.2f", paper), fmt.Sprintf("%.2f", ours), number(ours).in(&reach{paper / 3, 3 * paper})))
		}
	}
	add("MPI", o.overMPI, overMPI)
	add("plain", o.overPlain, overPlain)
	return all
}
