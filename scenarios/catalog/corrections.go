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
}

// onRing are the keys of corrections that take place on a ring, at some time, and further
// ones.
func onRing(further ...string) []string { return append(further, "start", "early", "ring") }

// corrections is the table of corrections. A new one needs a line here, and a key among
// correctionKeys if it has one of its own.
var corrections = line.Choices[correctionMaker]{
	{"checked", correctionMaker{checked, onRing(), false}},
	{"opportunistic", correctionMaker{opportunistic, onRing("d", "direction"), false}},
	{"optimized", correctionMaker{optimized, onRing("d", "direction"), false}},
	{"cautious", correctionMaker{cautious, onRing("d", "direction"), false}},
	{"failure-proof", correctionMaker{failureProof, onRing("f"), true}},
	{"delayed", correctionMaker{delayed, onRing("delay"), true}},
	{"ack", correctionMaker{acknowledge, nil, false}},
	{"none", correctionMaker{none, nil, false}},
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
	line.NumberKey("d", 8, 0, line.MaxRanks, "opportunistic, optimized, cautious: messages each").Trying(line.Numbers(0, 9)),
	directions.Key("direction", "opportunistic, optimized, cautious: where they go").Fitting(hasDirection),
	line.NumberKey("f", 1, 0, line.MaxRanks, "failure-proof: failures tolerated meanwhile"),
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

func checked(line.Settings) (correction.Correction, error)     { return correction.Checked{}, nil }
func none(line.Settings) (correction.Correction, error)        { return correction.None{}, nil }
func acknowledge(line.Settings) (correction.Correction, error) { return broadcast.Acknowledge{}, nil }

func opportunistic(s line.Settings) (correction.Correction, error) {
	return &correction.Opportunistic{Messages: s.Int("d"), Direction: directions.Of(s, "direction")}, nil
}

func optimized(s line.Settings) (correction.Correction, error) {
	return &correction.Opportunistic{Messages: s.Int("d"), Direction: directions.Of(s, "direction"), Optimized: true}, nil
}

func cautious(s line.Settings) (correction.Correction, error) {
	return &correction.Opportunistic{
		Messages: s.Int("d"), Direction: directions.Of(s, "direction"), Optimized: true, Cautious: true,
	}, nil
}

func failureProof(s line.Settings) (correction.Correction, error) {
	return correction.NewFailureProof(s.LogP(), s.Int("f"))
}

func delayed(s line.Settings) (correction.Correction, error) {
	delay := line.AutoNumber(s, "delay", correction.UsualDelay(s.LogP()))
	return correction.NewDelayed(s.LogP(), delay), nil
}
