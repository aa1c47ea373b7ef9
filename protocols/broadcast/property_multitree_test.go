package broadcast_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// Corrected Trees, 5: d trees stand d-1 failures, of any ranks but the root, at any point.
// How fast ranks are does not matter.
func TestMultiTreeStandsFewerFailuresThanTreesAtAnyPoint(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		m := anyMultiTree(t, logp.Ranks)
		program := m.Program(mailbox.Message{})
		s := points.Failures(t, anyOthers(t, logp.Ranks, program.Initiators[0], m.Tolerates()))
		s = append(s, points.Slow(t, logp.Ranks)...)
		report := lab.run(logp, program, s)
		require.Empty(t, report.Unreached, "faults %v", s)
		require.Empty(t, report.Deadlocks, "faults %v", s)
	})
}
