package command

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestChartsAndHelpFitInto80Columns(t *testing.T) {
	for _, args := range [][]string{nil, {"list"}, {"help", "run"}, {"help", "replay"}, {"help", "demo"}, {"help", "table"}, {"help", "explore"}, {"help", "fuzz"}, {"help", "shrink"}, {"demo"}} {
		line80(t, mangroveWith(t.Context(), catalog.All(), args...).stdout)
	}
	for _, line := range []string{"broadcast P=64", "broadcast P=64 L=4", "broadcast P=1", "broadcast P=2 L=30", "broadcast P=3 faults=crash:1@t70"} {
		got := mangrove("demo", line)
		require.Equal(t, 0, got.status, got.stderr)
		line80(t, got.stdout)
	}
}

func TestColourIsForTerminalsOnly(t *testing.T) {
	assert.False(t, wantsColour(&bytes.Buffer{}))
	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, wantsColour(file))

	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, as terminals are
	require.NoError(t, err)
	defer device.Close()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	assert.True(t, wantsColour(device))
	assert.True(t, wantsColour(output{device}), "as commands see it")
	t.Setenv("NO_COLOR", "1")
	assert.False(t, wantsColour(device))
}
