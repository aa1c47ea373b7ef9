package guarantee

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/faults"
)

// Premises about what the network does to messages. Faults that never happened are no disturbance.

// LinksHold is met if no links were cut, one way or both ways, or only when all was over. Links that were mended had been cut.
var LinksHold = Premise{"no links are cut", func(run Run) string { return fired(run, faults.Cut) }}

// NothingLost is met if no message was lost on its way, cut links aside.
var NothingLost = Premise{"no message is lost", func(run Run) string { return fired(run, faults.Lose) }}

// EveryMessageArrives is met if [LinksHold] and [NothingLost] are. Most protocols presuppose that a message that was sent arrives
// if its receiver lives.
var EveryMessageArrives = Premise{"every message arrives", func(run Run) string { return fired(run, faults.Cut, faults.Lose) }}

// ArrivesOnce is met if no message arrived a second time.
var ArrivesOnce = Premise{"no message arrives twice", func(run Run) string { return fired(run, faults.Twice) }}

// InTime is met if no message took longer than the longest latency that protocols can reckon with, which has bounded jitter in it: no
// message is late by a fault, and jitter has a bound. It goes with deadlines; who has none promises the same however late messages are.
var InTime = Premise{"no message is late", func(run Run) string {
	if late := fired(run, faults.Late); late != "" || run.Report.Jitter == nil {
		return late
	}
	if _, bounded := run.Report.Jitter.Max(); !bounded {
		return fmt.Sprintf("jitter=%s has no bound", run.Report.Jitter)
	}
	return ""
}}
