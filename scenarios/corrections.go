package scenarios

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// correctionMaker makes a correction for broadcasts over a tree.
type correctionMaker struct {
	make func(Settings, tree.Tree) (correction.Correction, error)
	// keys are the ones that matter to it, of those that not all corrections have.
	keys []string
}

// whenAndWhere are the keys of corrections that take place on a ring, at some time.
var whenAndWhere = []string{"start", "early", "ring"}

// corrections is the table of corrections. A new one needs a line here and nothing else.
var corrections = Choices[correctionMaker]{
	{"checked", correctionMaker{checked, whenAndWhere}},
	{"opportunistic", correctionMaker{opportunistic, append([]string{"d", "direction"}, whenAndWhere...)}},
	{"optimized", correctionMaker{opportunistic, append([]string{"d", "direction"}, whenAndWhere...)}},
	{"failure-proof", correctionMaker{failureProof, append([]string{"f"}, whenAndWhere...)}},
	{"delayed", correctionMaker{delayed, append([]string{"delay"}, whenAndWhere...)}},
	{"ack", correctionMaker{acknowledge, nil}},
	{"none", correctionMaker{none, nil}},
}

var directions = Choices[correction.Direction]{
	{"both", correction.BothWays},
	{"left", correction.LeftOnly},
	{"right", correction.RightOnly},
}

var correctionKeys = []Key{
	corrections.Key("correction", "how gaps on the ring of ranks are closed"),
	NumberKey("d", 8, 0, MaxRanks, "opportunistic, optimized: messages of a rank"),
	directions.Key("direction", "opportunistic, optimized: where they go"),
	NumberKey("f", 1, 0, MaxRanks, "failure-proof: failures tolerated meanwhile"),
	autoKey("delay", uint64(clock.MaxCost), "delayed: ticks to wait for the right neighbour"),
}

// buildCorrection makes the correction that a line asks for.
func buildCorrection(s Settings, t tree.Tree) (correction.Correction, error) {
	maker := corrections.Of(s, "correction")
	if s.Text("direction") != directions[0].Name && !slices.Contains(maker.keys, "direction") {
		return nil, fmt.Errorf("direction=%s goes with correction=opportunistic or optimized, not with %s",
			s.Text("direction"), s.Text("correction"))
	}
	return maker.make(s, t)
}

func checked(Settings, tree.Tree) (correction.Correction, error) { return correction.Checked{}, nil }
func none(Settings, tree.Tree) (correction.Correction, error)    { return correction.None{}, nil }

func opportunistic(s Settings, _ tree.Tree) (correction.Correction, error) {
	return &correction.Opportunistic{
		Messages:  s.Int("d"),
		Direction: directions.Of(s, "direction"),
		Optimized: s.Text("correction") == "optimized",
	}, nil
}

func failureProof(s Settings, _ tree.Tree) (correction.Correction, error) {
	return correction.NewFailureProof(s.LogP(), s.Int("f"))
}

func delayed(s Settings, _ tree.Tree) (correction.Correction, error) {
	delay := autoNumber(s, "delay", correction.UsualDelay(s.LogP()))
	return correction.NewDelayed(s.LogP(), delay), nil
}

func acknowledge(_ Settings, t tree.Tree) (correction.Correction, error) {
	return broadcast.Acknowledge{Tree: t}, nil
}
