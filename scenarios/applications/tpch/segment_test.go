package tpch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
)

func TestSegmentsAreReadAsTheyAreWritten(t *testing.T) {
	for _, want := range tpch.Segments() {
		for _, text := range []string{want.String(), strings.ToLower(want.String())} {
			segment, err := tpch.ParseSegment(text)
			require.NoError(t, err)
			require.Equal(t, want, segment)
		}
	}
	require.Len(t, tpch.Segments(), 5)
	require.Equal(t, "Segment(5)", tpch.Segment(5).String())
}

func TestUnknownSegmentsAreRefused(t *testing.T) {
	_, err := tpch.ParseSegment("BOATS")
	require.EqualError(t, err, `tpch: segment "BOATS", want one of AUTOMOBILE, BUILDING, FURNITURE, MACHINERY, HOUSEHOLD`)
}
