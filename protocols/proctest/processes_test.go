package proctest_test

import (
	"slices"
	"testing"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
)

// running is the Run of a machine.
type running func(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error)

// processes is how many share the ranks of a machine. The first one always has a rank, and the last one the report.
const processes, last = 3, 2

// cluster is a machine whose ranks are in several processes, all of them goroutines here. Each runs the suite with programs of its own; the last
// one runs those of all on one machine, each rank by that of its process.
type cluster struct {
	run      running
	programs [processes]protocols.Program
	reports  [processes]*report.Report
	errors   [processes]error
	flaws    clusterFlaws
}

// process is the machine as one of its processes sees it.
func (c *cluster) process(g parts.Group) proctest.Machine {
	own := g.Index()
	return proctest.Machine{
		Stores: true,
		Run: func(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
			c.programs[own] = program
			if _, err := g.Min(0); err != nil {
				return nil, err
			}
			if own == last {
				whole := protocols.Program{Initiators: program.Initiators, Main: c.main}
				c.reports, c.errors = [processes]*report.Report{}, [processes]error{}
				c.reports[last], c.errors[last] = c.run(params, seed, schedule, whole)
				if c.flaws.afterwards != nil {
					c.flaws.afterwards(c)
				}
			}
			if _, err := g.Min(0); err != nil {
				return nil, err
			}
			return c.reports[own], c.errors[own]
		},
		Share: func(text []byte) ([][]byte, error) {
			all, err := g.Exchange(slices.Repeat([][]byte{text}, g.Count()))
			if c.flaws.shared != nil && err == nil {
				return c.flaws.shared(all)
			}
			return all, err
		},
	}
}

// main runs a rank's program in the process that the rank is in.
func (c *cluster) main(p protocols.Proc) {
	if c.flaws.main != nil {
		c.flaws.main(c, p)
		return
	}
	c.programs[home(p)].Main(p)
}

// home is the process of a rank. A broken machine may make up ranks; these must be somewhere, too.
func home(p protocols.Proc) int {
	return min(max(0, p.Rank()), p.Size()-1) * processes / p.Size()
}

// check has all processes check a claim, and returns what each of them finds.
func (c *cluster) check(t *testing.T, claim proctest.Case, change func(*proctest.Machine)) []error {
	t.Helper()
	found := make([]error, processes)
	parts.Together(t.Context(), processes, func(g parts.Mail) error {
		m := c.process(g)
		if change != nil {
			change(&m)
		}
		found[g.Index()] = claim.Check(m)
		return nil // others are to find out for themselves
	})
	return found
}
