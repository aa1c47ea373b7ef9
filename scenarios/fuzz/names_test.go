package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
)

func TestNamesAreThoseOfTheProtocols(t *testing.T) {
	for _, step := range []string{broadcast.StepColoured, gossip.StepColoured, buntinas.StepColoured} {
		require.Equal(t, step, stepColoured)
	}
	require.Equal(t, gossip.StepCorrection, stepCorrection)
	require.Equal(t, []string{buntinas.StepColoured, buntinas.StepRestart, buntinas.StepComplete, buntinas.StepAbandon, buntinas.StepLate}, bfbFamily.steps)
	require.EqualValues(t, correction.FirstKind, kindFirstCorrection)
	require.EqualValues(t, correction.SOS, kindSOS)
	require.EqualValues(t, correction.LastKind, kindSOS)
}

// A family that promises soundness has verdicts about all of it.
func TestSoundnessIsChecked(t *testing.T) {
	all := []string{guarantee.Integrity{}.Name(), guarantee.OnlyColouredRanksSend{}.Name(), guarantee.NoDuplicates{}.Name()}
	require.Equal(t, all, sound)
	promising := 0
	for _, c := range corpora {
		if c.family.promises[0].says != soundness.says {
			continue
		}
		promising++
		var names []string
		for _, g := range tried(t, c.family, c.seeds["no-faults-twice"]).outcome.Guarantees {
			names = append(names, g.Name)
		}
		require.Subset(t, names, all, c.target)
	}
	require.Equal(t, 3, promising)
}
