package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/guarantee"
)

func shrink(t *testing.T, line string) Shrunk {
	t.Helper()
	run, err := ParseLine(line)
	require.NoError(t, err)
	small, err := run.Shrink(t.Context(), 3000)
	require.NoError(t, err, line)
	return small
}

func TestLinesAreShrunk(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"broadcast P=900 seed=77 correction=none faults=crash:~9,hang:~3@t20", "broadcast correction=none P=4 faults=crash:1@t0"},
		{"broadcast P=64 L=3 o=2 correction=opportunistic d=2 tree=kary k=5 root=3 faults=crash:4@t0,crash:5@t0,crash:6@t0,crash:7@t0,crash:8@t0",
			"broadcast correction=opportunistic tree=kary k=1 d=0 root=2 P=3 faults=crash:0@t0"},
		{"broadcast P=16 numbering=in-order faults=hang:13@t30,crash:4,crash:7@t5,crash:3@t17,slow:5x3@t2,crash:8@t18,crash:11@recv2",
			"broadcast numbering=in-order P=9 faults=crash:4@t0,crash:3@after-send1,crash:8@after-send2"},
	} {
		small := shrink(t, c.line)
		require.Equal(t, c.want, small.Line)
		require.LessOrEqual(t, small.Runs, 3000)
		require.Equal(t, small, shrink(t, c.line), "the same again")
		outcome := mustExecute(t, small.Line, Options{})
		require.Equal(t, small.Broken, guarantee.Broken(outcome.Guarantees), "pasting the line shows the same")
	}
}

func TestNothingToShrink(t *testing.T) {
	run, err := ParseLine("broadcast P=16")
	require.NoError(t, err)
	_, err = run.Shrink(t.Context(), 100)
	require.ErrorIs(t, err, ErrHeld)
}

// A budget is kept, and what was found until then is returned.
func TestShrinkingIsBounded(t *testing.T) {
	run, err := ParseLine("broadcast P=900 seed=77 correction=none faults=crash:~9,hang:~3@t20")
	require.NoError(t, err)
	small, err := run.Shrink(t.Context(), 10)
	require.NoError(t, err)
	require.LessOrEqual(t, small.Runs, 12)
	require.NotEmpty(t, small.Broken)
}
