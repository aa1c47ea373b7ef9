package fuzz

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
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

// sound are the guarantees of everything that spreads a message, whatever fails.
var sound = []string{guarantee.Integrity{}.Name(), guarantee.OnlyColouredRanksSend{}.Name(), guarantee.NoDuplicates{}.Name()}

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

// wrongResult says what is wrong with the whole results of an all-reduce. Whether all live ranks should
// have one depends on the correction, which the guarantee does not judge.
func wrongResult(t *trial) string { return catalog.WrongResult(t.run, t.report) }
