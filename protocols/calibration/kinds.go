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

// KindName names the kinds of messages a calibration sends.
func KindName(k mailbox.Kind) string {
	switch k {
	case Ping:
		return "ping"
	case Pong:
		return "pong"
	case Burst:
		return "burst"
	case Span:
		return "span"
	case Done:
		return "done"
	}
	return ""
}

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
