package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// left says who was left without the message, or waits for ever. In a series that is the
// same: a rank that misses one broadcast waits for it.
func left(t *trial) string {
	if len(t.report.Unreached) > 0 {
		return fmt.Sprintf("ranks %v never reached", t.report.Unreached)
	}
	return waiting(t)
}

// divided says who was left without the message although others have it.
func divided(t *trial) string {
	live := len(t.report.Ranks) - len(t.report.Failed)
	if missed := len(t.report.Unreached); missed == 0 || missed == live {
		return ""
	}
	return fmt.Sprintf("ranks %v never reached, other live ranks were", t.report.Unreached)
}

// waiting says who waits for ever.
func waiting(t *trial) string {
	if len(t.report.Deadlocks) == 0 {
		return ""
	}
	return fmt.Sprint(t.report.Deadlocks)
}

// reachedWait says who waits for ever after the message has come.
func reachedWait(t *trial) string {
	for _, d := range t.report.Deadlocks {
		if t.report.Ranks[d.Rank].Coloured != clock.Never {
			return d.String()
		}
	}
	return ""
}

// unsound says what was received or sent that should not have been.
func unsound(t *trial) string {
	for _, g := range t.outcome.Guarantees {
		if !g.Held && slices.Contains(sound, g.Name) {
			return g.Name + ": " + g.Evidence
		}
	}
	return ""
}

// notHeld says which guarantee of the protocol's scenario the run did not keep.
func notHeld(t *trial) string {
	for _, g := range t.outcome.Guarantees {
		if !g.Held {
			return g.Name + ": " + g.Evidence
		}
	}
	return ""
}

// noResult begins the evidence of an all-reduce whose result is missing on live ranks.
// Whether it should be there depends on the correction, which the scenario does not judge.
const noResult = "no complete result on "

// wrongResult says what is wrong with the whole results of an all-reduce.
func wrongResult(t *trial) string {
	g := t.outcome.Guarantees[0]
	if g.Held || strings.HasPrefix(g.Evidence, noResult) {
		return ""
	}
	return g.Evidence
}
