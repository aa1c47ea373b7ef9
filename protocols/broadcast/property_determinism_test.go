package broadcast_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/draw"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// A run is determined by program, machine and schedule. The number of workers changes nothing.
func TestEveryBroadcastIsDeterministic(t *testing.T) {
	forAll(t, func(t *rapid.T, lab *lab) {
		logp := draw.Machine(t, 1, 60)
		program, _ := anyProgram(t, lab, logp, mailbox.Message{Payload: "news"})
		s := anySchedule(t, logp.Ranks)
		want := lab.run(logp, program, s).Hash
		require.NotZero(t, want)
		require.Equal(t, want, lab.run(logp, program, s).Hash, "again")
		for _, workers := range []int{1, 2, 7} {
			machine := must(emu.New(emu.Config{LogP: logp, Trace: emu.TraceHash, Workers: workers}))
			report, err := machine.Run(context.Background(), program, emu.Options{Faults: s})
			require.NoError(t, err)
			require.Equal(t, want, report.Hash, "%d workers", workers)
		}
	})
}
