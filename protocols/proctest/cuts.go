package proctest

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
)

var cutCases = []Case{
	inTurns("nothing gets over a cut from its instant on, and all else does", "cut:0-1|2+4@t1,cut:3|*@t3"),
	inTurns("a cut one way lets through what goes the other way", "cut:0-1>2+4@t1,cut:*>3@t3,cut:5>*@t3"),
	inTurns("from the instant of a mend on its links are as if they had never been cut",
		"cut:0-2|3-5@t1,mend:0+1>4+5@t3,mend:2|*@t3"),
	inTurns("of cuts and mends of a link the last one counts",
		"cut:0|1@t1,mend:0|1@t1,mend:0|2@t1,cut:0|2@t1,mend:0|3@t3,cut:0|3@t1,mend:0|4@t1,cut:0>4@t3,cut:0|5@t3,mend:0|5@t1"),
	{Name: "what has left before a cut arrives", Exact: true, on: logP(2), check: someLeave(
		func(t clock.Time) string { return fmt.Sprintf("cut:0|1@t%d", t) },
		func(left, t clock.Time) bool { return left < t })},
	{Name: "what has left before a mend is lost", Exact: true, on: logP(2), check: someLeave(
		func(t clock.Time) string { return fmt.Sprintf("cut:0>1@t0,mend:0|1@t%d", t) },
		func(left, t clock.Time) bool { return left >= t })},
	{Name: "what happens on links in some time begins with its first instant and ends before its last", Exact: true, on: logP(2), check: someLeave(
		func(t clock.Time) string { return fmt.Sprintf("lose:0>1@t%d..t%d", t, t+3) },
		func(left, t clock.Time) bool { return left < t || left >= t+3 })},
}

// someLeave has messages leave just before, at and after an instant of a schedule.
func someLeave(scheduled func(t clock.Time) string, arrives func(left, t clock.Time) bool) func(*checker) {
	return func(c *checker) {
		const n = 5
		for t := clock.Time(1); t < n*c.Overhead; t++ {
			schedule := scheduled(t)
			got := gatherWith(c, setup{faults: faults.MustParse(schedule)}, func(p protocols.Proc) []receipt {
				if p.Rank() == 0 {
					for i := range n {
						p.Send(1, number(i))
					}
					return nil
				}
				return receiveUntil(p, n*c.Delivery())
			})
			var want []int64
			for i := range n {
				if arrives(clock.Time(i+1)*c.Overhead, t) {
					want = append(want, int64(i))
				}
			}
			same(c, schedule+": messages", values(got[1]), want)
		}
	}
}
