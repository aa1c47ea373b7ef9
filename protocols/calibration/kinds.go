package calibration

import "github.com/mangrove-emu/mangrove/mailbox"

// The kinds of messages a calibration sends.
const (
	ping  mailbox.Kind = 120 + iota // wants a pong at once
	pong                            // the answer
	burst                           // one of a burst, whose length is in A
	span                            // how long something took for another rank, in A
	done                            // that nothing more will come
)

var kindNames = map[mailbox.Kind]string{ping: "ping", pong: "pong", burst: "burst", span: "span", done: "done"}

// kindName names the kinds of messages a calibration sends.
func kindName(k mailbox.Kind) string { return kindNames[k] }

// Named points, at which rank 0 begins to measure something else, and a schedule can let it fail.
const (
	StepWarmup   = "warmup"
	StepBursts   = "bursts"
	StepRounds   = "rounds"
	StepReceives = "receives"
	StepSizes    = "sizes"
	StepCrowd    = "crowd"
	StepDone     = "done" // everything is measured
)
