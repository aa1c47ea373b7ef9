package proctest

import (
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

var slowCases = []Case{
	{Name: "a slow-down replaces those before it, whether the clock or the program brings it about", on: simple(len(slowdowns) + 1), check: lastSlowDownCounts},
	{Name: "slow:1x8@send1,slow:1x2@t30: a send at t=60 takes 2o", Exact: true, on: withRanks(2, clock.LogP{Latency: 3, Overhead: 2}), check: clockSlowsDownLess},
}

// slowdowns are schedules of a rank, with units for times and a % for a factor that is much too large.
// Which factor is in force at 4 units, when the rank has passed the steps a and b at the beginning?
var slowdowns = []struct {
	schedule string
	want     clock.Time
}{
	{"slow:0x%@step:a,slow:0x2@t2", 2},
	{"slow:0x2@t2,slow:0x%@step:a", 2},
	{"slow:0x%@t1,slow:0x2@t2", 2},
	{"slow:0x2@t2,slow:0x%@t1", 2},
	{"slow:0x%@t2,slow:0x2@t2", 2},
	{"slow:0x%@t0,slow:0x2@step:a", 2},
	{"slow:0x2@step:a,slow:0x%@t0", 2},
	{"slow:0x%@step:a,slow:0x2@step:b", 2},
	{"slow:0x2@step:b,slow:0x%@step:a", 2},
	{"slow:0x%@t8", 1},
	{"slow:0x%@step:a,crash:0@step:b,rejoin:0@t1,slow:0x2@t2", 2},
	{"slow:0x%@step:a,crash:0@step:b,rejoin:0@t2,slow:0x2@t1", 2},
	{"slow:0x40@step:a,crash:0@step:b,rejoin:0@t2", 40},
	{"slow:0x2@t0,slow:0x40@t2", 40},
	{"slow:0x40@t2,slow:0x2@t1", 40},
	{"slow:0x2@t0,slow:0x40@step:a", 40},
}

func lastSlowDownCounts(c *checker) {
	unit := 50 + c.machine.Late/2
	much := 100 + 4*c.machine.Late/c.Overhead
	var all faults.Schedule
	for rank, s := range slowdowns {
		for _, f := range faults.MustParse(strings.ReplaceAll(s.schedule, "%", much.String())) {
			f.Rank = rank
			f.At.Time *= unit
			all = append(all, f)
		}
	}
	last := len(slowdowns) // receives the sends of all
	seen := run(c, setup{faults: all}, func(p protocols.Proc, note func(func(own *clock.Time))) {
		p.Step("a")
		p.Step("b")
		p.WaitUntil(4 * unit)
		start := p.Now()
		p.Send(last, number(p.Rank()))
		took := p.Now() - start
		note(func(own *clock.Time) { *own = took })
	})
	if c.judge(seen.aftermath, last); c.broken {
		return
	}
	for rank, s := range slowdowns {
		if seen.returned[rank] == 0 { // too late to come back
			c.tooLate("%s: no send", s.schedule)
		} else {
			c.slow(s.schedule+": a send at t4", seen.by[rank], s.want)
		}
	}
}

func clockSlowsDownLess(c *checker) {
	ends := gatherWith(c, setup{faults: faults.MustParse("slow:1x8@send1,slow:1x2@t30")}, func(p protocols.Proc) []clock.Time {
		if p.Rank() == 0 {
			return nil
		}
		p.Send(0, number(1))
		first := p.Now()
		p.WaitUntil(60)
		p.Send(0, number(2))
		return []clock.Time{first, p.Now()}
	})
	c.each("sends end", ends[1], []clock.Time{8 * c.Overhead, 60 + 2*c.Overhead})
}

// slow checks how long a send took of a rank that is so many times as slow. Without a pace, what takes no time
// is not slowed down, so a machine with a real clock may be faster by o.
func (c *checker) slow(what string, took, factor clock.Time) {
	least, most := factor*c.Overhead, factor*c.Overhead+c.machine.Late
	if !c.machine.exact() {
		least -= c.Overhead
	}
	report := c.errorf
	if took > most {
		report = c.tooLate
	}
	if took < least || took > most {
		report("%s: it takes %d ticks, want %d to %d", what, took, least, most)
	}
}
