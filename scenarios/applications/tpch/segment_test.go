package tpch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSegmentsAreReadAsTheyAreWritten(t *testing.T) {
	for _, want := range Segments() {
		for _, text := range []string{want.String(), strings.ToLower(want.String())} {
			segment, err := ParseSegment(text)
			require.NoError(t, err)
			require.Equal(t, want, segment)
		}
	}
	require.Len(t, Segments(), 5)
	require.Equal(t, "Segment(5)", Segment(5).String())
}

func TestUnknownSegmentsAreRefused(t *testing.T) {
	_, err := ParseSegment("BOATS")
	require.EqualError(t, err, `tpch: segment "BOATS", want one of AUTOMOBILE, BUILDING, FURNITURE, MACHINERY, HOUSEHOLD`)
}
