package tcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
)

func schedule(t *testing.T, text string) faults.Schedule {
	t.Helper()
	s, err := faults.Parse(text)
	require.NoError(t, err)
	return s
}
