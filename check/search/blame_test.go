package search

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
)

func TestBlameKnowsWhatIsTheProgramsFault(t *testing.T) {
	verdict, program := Blame(&emu.PanicError{Rank: 3, Time: 7, Value: "boom", Stack: []byte("main.go:5")})
	require.True(t, program)
	require.Equal(t, guarantee.Verdict{Name: Ran, Evidence: "rank 3 panicked at t=7: boom"}, verdict)
	for _, err := range []error{&emu.StepLimitError{}, fmt.Errorf("run 3: %w", &emu.TimeLimitError{Limit: 9})} {
		verdict, program = Blame(err)
		require.True(t, program)
		require.Equal(t, guarantee.Broken, verdict.Value)
	}
	require.Equal(t, "the run is not over at the time limit t=9", verdict.Evidence)
	_, program = Blame(errors.New("no memory"))
	require.False(t, program)
}
