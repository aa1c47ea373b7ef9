package fidelity

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// aMachine is a file of one.
func aMachine(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "machine.toml")
	require.NoError(t, os.WriteFile(path, []byte("tick = \"1ns\"\nL = 50_000\no = 5_000\ng = 6_000\nG = 1\nnetwork = \"switch:2000\"\n"), 0o644))
	return path
}

// slower is the emulator as a machine on which all takes so many times as long, more each time.
func slower(factors ...float64) Machine {
	times := 0
	return func(ctx context.Context, run *scenarios.Run) (*scenarios.Outcome, error) {
		outcome, err := run.Execute(ctx, scenarios.Options{})
		if err != nil {
			return nil, err
		}
		for i := range outcome.Latencies {
			outcome.Latencies[i] *= factors[times%len(factors)]
		}
		times++
		return outcome, nil
	}
}

func TestLinesAreTwentyThatDiffer(t *testing.T) {
	lines := Lines()
	require.Len(t, lines, 20)
	different, named, words := make(map[string]bool), make(map[string]bool), make(map[string]bool)
	for i, line := range lines {
		text := line.With("m.toml")
		require.Equal(t, i+1, line.Number)
		different[text], named[line.Name()] = true, true
		for _, word := range strings.Fields(text) {
			words[word] = true
		}
	}
	require.Len(t, different, 20)
	require.Len(t, named, 20)
	for _, word := range []string{"P=2", "P=64", "tree=binomial", "tree=kary", "tree=lame", "tree=optimal", "bytes=0", "bytes=1024", "bytes=65536", "bytes=1048576"} {
		require.Contains(t, words, word)
	}
	require.True(t, named["P=64 lame k=2"] && named["P=8 binomial, 64 KB"] && named["P=2 binomial, 1 MB"])
}

// Payloads take longer, by G for each byte and level of the tree.
func TestRatiosAreThoseOfMedians(t *testing.T) {
	var told []Row
	rows, err := Compare(t.Context(), Options{
		Parse: catalog.ParseLine, Machine: slower(3, 0.5, 2), File: aMachine(t), Lines: Lines(), Times: 3, Done: func(row Row) { told = append(told, row) },
	})
	require.NoError(t, err)
	require.Equal(t, told, rows)
	require.Len(t, rows, 20)
	for i, row := range rows {
		require.Equal(t, calibration.Quantity{Value: 2, Low: 0.5, High: 3}, row.Ratio, row.Line.Name())
		require.Equal(t, calibration.Quantity{Value: 2 * row.Emulated, Low: row.Emulated / 2, High: 3 * row.Emulated}, row.Measured)
		require.Equal(t, Lines()[i], row.Line)
		require.EqualValues(t, 1, row.Unit)
	}
	require.Equal(t, 62_000.0, rows[0].Emulated, "2o+L and what the switch takes")
	require.Equal(t, 62_000.0+1<<10-1, rows[12].Emulated, "a kilobyte")
	require.Equal(t, 62_000.0+1<<20-1, rows[14].Emulated, "a megabyte")

	f := Figure(rows, "processes of a machine", "a command")
	require.Equal(t, "Broadcasts against the emulator: processes of a machine", f.Title)
	require.Equal(t, "a command", f.Note)
	require.Len(t, f.Series[0].Points, 20)
	require.Equal(t, []float64{19, 2, 0.5, 3}, []float64{f.Series[0].Points[19].X, f.Series[0].Points[19].Y, f.Series[0].Points[19].Low, f.Series[0].Points[19].High})
	require.Equal(t, "20", f.X.Names[19])
	require.Equal(t, []string{"19", "20"}, Figure(rows[18:], "", "").X.Names, "numbers stay those of all lines")
}

func TestWhatCannotBeComparedIsNamed(t *testing.T) {
	file := aMachine(t)
	_, err := Compare(t.Context(), Options{Parse: catalog.ParseLine, Machine: slower(1), Lines: Lines(), File: file + "x", Times: 1})
	require.ErrorContains(t, err, "no such file")
	rows, err := Compare(t.Context(), Options{Parse: catalog.ParseLine, Lines: Lines(), File: file, Times: 1, Machine: func(_ context.Context, run *scenarios.Run) (*scenarios.Outcome, error) {
		if run.Config().Ranks > 2 {
			return nil, errors.New("no such machine")
		}
		return run.Execute(t.Context(), scenarios.Options{})
	}})
	require.ErrorContains(t, err, "broadcast P=4 tree=binomial bytes=0 ")
	require.ErrorContains(t, err, ": no such machine")
	require.Len(t, rows, 1)
	_, err = Compare(t.Context(), Options{Parse: catalog.ParseLine, Lines: Lines(), File: file, Times: 1, Machine: func(ctx context.Context, run *scenarios.Run) (*scenarios.Outcome, error) {
		outcome, err := slower(1)(ctx, run)
		outcome.Latencies = nil
		return outcome, err
	}})
	require.ErrorContains(t, err, "no broadcast has reached everybody")
}
