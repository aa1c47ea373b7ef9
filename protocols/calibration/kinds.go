package calibration

import "github.com/mangrove-emu/mangrove/mailbox"

// The kinds of messages a calibration sends.
const (
	Ping  mailbox.Kind = 120 + iota // wants a Pong at once
	Pong                            // the answer
	Burst                           // one of a burst, whose length is in A
	Span                            // how long something took for another rank, in A
	Done                            // that nothing more will come
)

var kindNames = map[mailbox.Kind]string{Ping: "ping", Pong: "pong", Burst: "burst", Span: "span", Done: "done"}

// KindName names the kinds of messages a calibration sends.
func KindName(k mailbox.Kind) string { return kindNames[k] }

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
