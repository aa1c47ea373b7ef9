package scenarios

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
)

// correctionMaker makes a correction.
type correctionMaker struct {
	make func(Settings) (correction.Correction, error)
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
var corrections = Choices[correctionMaker]{
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
func uses(s Settings, key string) bool {
	return slices.Contains(corrections.Of(s, "correction").keys, key)
}

var directions = Choices[correction.Direction]{
	{"both", correction.BothWays},
	{"left", correction.LeftOnly},
	{"right", correction.RightOnly},
}

var correctionKeys = []Key{
	corrections.Key("correction", "how gaps on the ring of ranks are closed"),
	NumberKey("d", 8, 0, MaxRanks, "opportunistic, optimized, cautious: messages each"),
	directions.Key("direction", "opportunistic, optimized, cautious: where they go"),
	NumberKey("f", 1, 0, MaxRanks, "failure-proof: failures tolerated meanwhile"),
	autoTimeKey("delay", 0, uint64(clock.MaxCost), "delayed: ticks to wait for the right neighbour"),
}

// buildCorrection makes the correction that a line asks for.
func buildCorrection(s Settings) (correction.Correction, error) {
	if s.Text("direction") != directions[0].Name && !uses(s, "direction") {
		return nil, fmt.Errorf("direction=%s goes with correction=opportunistic, optimized or cautious, not with %s",
			s.Text("direction"), s.Text("correction"))
	}
	return corrections.Of(s, "correction").make(s)
}

func checked(Settings) (correction.Correction, error)     { return correction.Checked{}, nil }
func none(Settings) (correction.Correction, error)        { return correction.None{}, nil }
func acknowledge(Settings) (correction.Correction, error) { return broadcast.Acknowledge{}, nil }

func opportunistic(s Settings) (correction.Correction, error) {
	return &correction.Opportunistic{Messages: s.Int("d"), Direction: directions.Of(s, "direction")}, nil
}

func optimized(s Settings) (correction.Correction, error) {
	return &correction.Opportunistic{Messages: s.Int("d"), Direction: directions.Of(s, "direction"), Optimized: true}, nil
}

func cautious(s Settings) (correction.Correction, error) {
	return &correction.Opportunistic{
		Messages: s.Int("d"), Direction: directions.Of(s, "direction"), Optimized: true, Cautious: true,
	}, nil
}

func failureProof(s Settings) (correction.Correction, error) {
	return correction.NewFailureProof(s.LogP(), s.Int("f"))
}

func delayed(s Settings) (correction.Correction, error) {
	delay := autoNumber(s, "delay", correction.UsualDelay(s.LogP()))
	return correction.NewDelayed(s.LogP(), delay), nil
}
