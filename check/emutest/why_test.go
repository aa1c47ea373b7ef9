package emutest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/faults"
)

// What was found can be explained as data, too. What is given is never left out.
func TestViolationsAreExplained(t *testing.T) {
	test := ringTest(1, 1)
	found, err := emutest.Check(t.Context(), test)
	require.NoError(t, err)
	require.Len(t, found.Violations, 1)
	why, err := emutest.Why(t.Context(), test, found.Violations[0])
	require.NoError(t, err)
	require.Equal(t, "reaches every live rank", why.Promise)
	require.Len(t, why.Because, 3)
	last := why.Because[2]
	require.Equal(t, 1, last.Rank)
	require.Equal(t, "crash:1@t0", last.Fault.String())
	require.Len(t, why.Without, 1)
	require.Empty(t, why.Without[0].Faults)

	test.Given = faults.MustParse("slow:2x2@t0")
	v := found.Violations[0]
	v.Schedule = append(faults.MustParse("slow:2x2@t0"), v.Schedule...)
	why, err = emutest.Why(t.Context(), test, v)
	require.NoError(t, err)
	require.Len(t, why.Without, 1)
	require.Equal(t, "without crash:1@t0: holds", why.Without[0].String())
	require.Equal(t, test.Given, why.Without[0].Faults)

	_, err = emutest.Why(t.Context(), emutest.Test{}, v)
	require.ErrorContains(t, err, "emutest: ")
}
