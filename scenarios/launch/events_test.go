package launch_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// count is how often something has happened to a rank.
func count(o *scenarios.Outcome, kind report.EventKind, rank int) (n int) {
	for _, e := range o.Report.Events {
		if e.Kind == kind && e.Rank == rank {
			n++
		}
	}
	return n
}

// Processes that kill or stop themselves tell before what they have done, and those that are started again go on with it.
func TestEventsSurviveTheirProcesses(t *testing.T) {
	t.Parallel()
	line := "membership P=6 tick=1ms every=20 until=800 faults=crash:1,crash:2@send2,rejoin:2@t150,hang:3@t40"
	launched(t, line, launch.Options{Pace: tcp.Sends, Record: true}, func(o *scenarios.Outcome) (err error) {
		for what, counts := range map[string][2]int{
			"never started":      {count(o, report.EventCrash, 1), 1},
			"did nothing":        {count(o, report.EventSend, 1), 0},
			"crashed":            {count(o, report.EventCrash, 2), 1},
			"in a send":          {count(o, report.EventSendLost, 2), 1},
			"came back":          {count(o, report.EventRejoin, 2), 1},
			"hung":               {count(o, report.EventHang, 3), 1},
			"the others live on": {count(o, report.EventCrash, 0) + count(o, report.EventHang, 0), 0},
		} {
			err = errors.Join(err, same(what, counts[1], counts[0]))
		}
		sends := 0
		for rank := range o.Report.Ranks {
			sends += count(o, report.EventSend, rank)
		}
		return errors.Join(err, same("sends", o.Report.Messages, int64(sends)), held(o), judged(o, "integrity"))
	})
}

// judged says whether a promise was not.
func judged(o *scenarios.Outcome, promise string) error {
	for _, g := range o.Guarantees {
		if g.Name == promise {
			return nil
		}
	}
	return fmt.Errorf("%s was not judged: %v", promise, o.Guarantees)
}
