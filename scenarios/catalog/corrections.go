package catalog

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// correctionMaker makes a correction.
type correctionMaker struct {
	make func(line.Settings) (correction.Correction, error)
	// keys are the ones that matter to it, of those that not all corrections have.
	keys []string
	// timed says that ranks wait for each other for a time that follows from L.
	timed bool
	// standing is which failures a broadcast with it stands.
	standing standing
}

// onRing are the keys of corrections that take place on a ring, at some time, and further
// ones.
func onRing(further ...string) []string { return append(further, "start", "early", "ring") }

// corrections is the table of corrections. A new one needs a line here, and a key among
// correctionKeys if it has one of its own.
var corrections = line.Choices[correctionMaker]{
	{"checked", correctionMaker{always(correction.Checked{}), onRing(), false, standsFailuresBefore}},
	{"opportunistic", correctionMaker{opportunistic(correction.Opportunistic{}), onRing("d", "direction"), false, standsByChance}},
	{"optimized", correctionMaker{opportunistic(correction.Opportunistic{Optimized: true}), onRing("d", "direction"), false, standsByChance}},
	{"cautious", correctionMaker{opportunistic(correction.Opportunistic{Optimized: true, Cautious: true}), onRing("d", "direction"), false, standsByChance}},
	{"failure-proof", correctionMaker{failureProof, onRing("f"), true, standsSoMany}},
	{"delayed", correctionMaker{delayed, onRing("delay"), true, standsFailuresBefore}},
	{"ack", correctionMaker{always(broadcast.Acknowledge{}), nil, false, standsNothing}},
	{"none", correctionMaker{always(correction.None{}), nil, false, standsNothing}},
}

// uses reports whether a key matters to the correction of a line.
func uses(s line.Settings, key string) bool {
	return slices.Contains(corrections.Of(s, "correction").keys, key)
}

var directions = line.Choices[correction.Direction]{
	{"both", correction.BothWays},
	{"left", correction.LeftOnly},
	{"right", correction.RightOnly},
}

var correctionKeys = line.Keys{
	corrections.Key("correction", "how gaps on the ring of ranks are closed"),
	line.NumberKey("d", 8, 0, clock.MaxRanks, "opportunistic, optimized, cautious: messages each").Trying(line.Numbers(0, 9)),
	directions.Key("direction", "opportunistic, optimized, cautious: where they go").Fitting(hasDirection),
	line.NumberKey("f", 1, 0, clock.MaxRanks, "failure-proof: failures tolerated meanwhile"),
	line.AutoTimeKey("delay", 0, uint64(clock.MaxCost), "delayed: ticks to wait for the right neighbour").Trying(line.Words("auto", "0", "1", "5", "20")),
}

// correctionIdle lists the keys of corrections that have no effect: those that matter to others only,
// and what ranks do early if correction waits for all.
func correctionIdle() []line.Idle {
	var rules []line.Idle
	for _, key := range slices.Concat(correctionKeys[1:], arrangementKeys) {
		rules = append(rules, line.Idle{Key: key.Name, Because: "correction", If: func(s line.Settings) bool { return !uses(s, key.Name) }})
	}
	return append(rules, line.Idle{Key: "early", Because: "start", If: func(s line.Settings) bool {
		return uses(s, "early") && !starts.Of(s, "start")
	}})
}

// hasDirection says if corrections of this kind always go both ways.
func hasDirection(s line.Settings) error {
	if s.Text("direction") != directions[0].Name && !uses(s, "direction") {
		return fmt.Errorf("direction=%s goes with correction=opportunistic, optimized or cautious, not with %s",
			s.Text("direction"), s.Text("correction"))
	}
	return nil
}

// always makes a correction that has no keys of its own.
func always(c correction.Correction) func(line.Settings) (correction.Correction, error) {
	return func(line.Settings) (correction.Correction, error) { return c, nil }
}

// opportunistic makes one of the corrections that send so many messages somewhere.
func opportunistic(c correction.Opportunistic) func(line.Settings) (correction.Correction, error) {
	return func(s line.Settings) (correction.Correction, error) {
		made := c
		made.Messages, made.Direction = s.Int("d"), directions.Of(s, "direction")
		return &made, nil
	}
}

func failureProof(s line.Settings) (correction.Correction, error) {
	return correction.NewFailureProof(s.LogP(), s.Int("f"))
}

func delayed(s line.Settings) (correction.Correction, error) {
	delay := line.AutoNumber(s, "delay", correction.UsualDelay(s.LogP()))
	return correction.NewDelayed(s.LogP(), delay), nil
}
