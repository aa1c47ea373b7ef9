package tpch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSegmentsAreReadAsTheyAreWritten(t *testing.T) {
	for _, name := range SegmentNames() {
		for _, text := range []string{name, strings.ToLower(name)} {
			segment, err := ParseSegment(text)
			require.NoError(t, err)
			require.Equal(t, name, segment.String())
		}
	}
	require.Len(t, SegmentNames(), 5)
	require.Equal(t, "Segment(5)", Segment(5).String())
}

func TestUnknownSegmentsAreRefused(t *testing.T) {
	_, err := ParseSegment("BOATS")
	require.EqualError(t, err, `tpch: segment "BOATS", want one of AUTOMOBILE, BUILDING, FURNITURE, MACHINERY, HOUSEHOLD`)
}
