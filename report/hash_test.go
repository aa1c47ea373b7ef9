package report_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report"
)

func TestHashesCanBeStored(t *testing.T) {
	text, err := json.Marshal([]report.Hash{0, 0xfedcba9876543210})
	require.NoError(t, err)
	require.Equal(t, `["0000000000000000","fedcba9876543210"]`, string(text))
	var back []report.Hash
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, []report.Hash{0, 0xfedcba9876543210}, back)
	require.EqualError(t, new(report.Hash).UnmarshalText([]byte("12")), `report: hash "12", want 16 hexadecimal digits`)
}
