package fuzz

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// promises are all that a protocol must keep.
type promises struct {
	list []promise
	// traced says that some are about the events of a run. To record them makes a run two or three
	// times as expensive.
	traced bool
	// unheard are the steps that a rank passes before it sends anything that others take for
	// a sign of life in a broadcast.
	unheard []string
}

// promise is something that a run must have kept.
type promise struct {
	says string
	// premise says when it is promised; nil: always.
	premise func(*trial) bool
	// broken says how a run broke it; "" if it did not.
	broken func(*trial) string
}

// trial is a run and how it went.
type trial struct {
	run      *scenarios.Run
	schedule faults.Schedule
	unheard  []string // as in promises
	report   *report.Report
	outcome  *scenarios.Outcome
}

// judge returns the first broken promise.
func (p promises) judge(t *trial) error {
	for _, p := range p.list {
		if p.premise != nil && !p.premise(t) {
			continue
		}
		if evidence := p.broken(t); evidence != "" {
			return fmt.Errorf("%s: broken: %s", p.says, evidence)
		}
	}
	return nil
}

// guarantees are those of the protocol, which say themselves what they presuppose.
var guarantees = promise{"every guarantee holds", nil, notHeld}

// guaranteed is what a protocol promises of which nothing else is known.
var guaranteed = promises{list: []promise{guarantees}, traced: true}

// known are the promises of protocols whose guarantees do not say it all: some are broken by failures
// that the protocol does not promise to stand, and some protocols promise more.
var known = map[string]promises{
	"broadcast":  broadcastPromises,
	"multitree":  multiTreePromises,
	"gossip":     gossipPromises,
	"big":        bigPromises,
	"bfb":        bfbPromises,
	"allreduce":  allReducePromises,
	"membership": membershipPromises,
	"collective": teamPromises,
	"samplesort": teamPromises,
	"tpch-q3":    teamPromises,
}
