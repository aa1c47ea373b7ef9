package command

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios/fidelity"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// little is a calibration that takes no time.
var little = []string{"rounds=20", "warmup=5", "bursts=3", "trips=2", "pause=0", "crowd=3", "--times=2"}

func TestACalibratedMachineCanBeRunOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "machine.toml")
	got := mangrove(append([]string{"calibrate", "-n", "4", "--out", path}, little...)...)
	require.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "round trip")
	file, err := line.ReadMachineFile(path)
	require.NoError(t, err)
	assert.EqualValues(t, 1, file.Tick)
	machine := fmt.Sprintf("%s: tick=1ns L=%d o=%d g=%d G=%d", path, file.Latency, file.Overhead, file.Gap, file.PerByte)
	if file.Network != "" {
		machine += " network=" + file.Network
	}
	assert.Contains(t, got.stdout, "\n"+machine+"\n")
	assert.Greater(t, int64(file.Overhead), int64(100), "a message over TCP takes longer than a hundred nanoseconds")
	assert.Contains(t, file.Measured, "round_trip")
	assert.Contains(t, contents(t, path), "# measured by: mangrove calibrate -n 4 rounds=20 ")
	run := mangrove("run", "broadcast", "P=4", "correction=none", "machine="+path)
	assert.Equal(t, 0, run.status, run.stderr)
	assert.Regexp(t, `colouring +t=\d+ \([\d.]+ (us|ms|s)\)`, run.stdout)
}

func TestACalibrationLosesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(path, []byte("precious"), 0o644))
	got := mangrove(append([]string{"calibrate", "--out", path}, little...)...)
	assert.Equal(t, 2, got.status)
	assert.Contains(t, got.stderr, "the file exists; want another name, or --force")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "precious", string(text))
	got = mangrove(append([]string{"calibrate", "--force", "--out", path}, little...)...)
	require.Equal(t, 0, got.status, got.stderr)
	_, err = line.ReadMachineFile(path)
	require.NoError(t, err)
}

func TestWhatCannotBeCalibratedExitsWith2(t *testing.T) {
	for says, args := range map[string][]string{
		"want a whole number from 2 to 4096":                  {"-n", "1"},
		"unknown key":                                         {"nothing=1"},
		"P is set twice":                                      {"P=8"},
		"--out '': want the name of a file":                   {"--out", ""},
		"no such file or directory":                           {"--out", "/nonexistent/machine.toml"},
		"want a whole number from 1 to 100":                   {"--times", "0"},
		"--plot without --compare":                            {"--plot", "x.svg"},
		"ends with .svg or .png":                              {"--compare", "--plot", "x.pdf"},
		"a b.toml' with --compare: blanks separate the words": {"--compare", "--out", "a b.toml"},
	} {
		got := mangrove(append([]string{"calibrate"}, args...)...)
		assert.Equal(t, 2, got.status, says)
		assert.Contains(t, got.stderr, says)
	}
}

func TestRowsOfAComparison(t *testing.T) {
	assert.Equal(t, "P=8 binomial, 64 KB                 514           210 (209 to 233)        0.41 (0.40 to 0.45)", rowOf(fidelity.Row{
		Line: fidelity.Line{Tree: "binomial", Ranks: 8, Bytes: 65536}, Unit: 100, Emulated: 5140, Measured: calibration.Quantity{Value: 2102, Low: 2090, High: 2330},
		Ratio: calibration.Quantity{Value: 0.409, Low: 0.404, High: 0.453},
	}))
}
