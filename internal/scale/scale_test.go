package scale

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

var update = flag.Bool("update", false, "rewrite the tables of the document")

// The model counts what the emulator does: windows, messages, and when each part's ranks are reached.
func TestTheModelCountsWhatTheEmulatorDoes(t *testing.T) {
	for levels := 3; levels <= 12; levels++ {
		run, err := catalog.ParseLine(fmt.Sprint("broadcast P=", 1<<levels))
		require.NoError(t, err)
		outcome, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		require.EqualValues(t, windows(levels), outcome.Report.Windows)
		require.Equal(t, messages(levels), outcome.Report.Messages)
		for q := range 4 {
			counted := make([][]float64, 1<<q)
			for rank, result := range outcome.Report.Ranks {
				part := rank >> (levels - q)
				if counted[part] == nil {
					counted[part] = make([]float64, levels+1)
				}
				counted[part][int(result.Coloured)/window] += 1 / float64(int(1)<<(levels-q))
			}
			for part := range counted {
				require.InDeltaSlice(t, counted[part], reached(levels, q, part), 1e-9, "part %d of 2^%d, 2^%d ranks", part, q, levels)
			}
		}
	}
}

// Where there is much mail there are more exchanges than windows. Some more are for the report.
func TestTheModelCountsExchanges(t *testing.T) {
	const levels, q = 17, 1
	meters := make([]*parts.Measured, 1<<q)
	errs := parts.Together(t.Context(), 1<<q, func(part parts.Mail) error {
		run, err := catalog.ParseLine(fmt.Sprint("broadcast P=", 1<<levels))
		if err != nil {
			return err
		}
		meter := parts.Measure(part)
		meters[part.Index()] = meter
		_, err = run.Execute(t.Context(), scenarios.Options{Workers: 1, Part: meter})
		return err
	})
	require.NoError(t, errors.Join(errs...))
	counted := Job{Levels: levels, Q: q}.exchanges()
	require.Greater(t, counted, windows(levels)+1)
	require.InDelta(t, counted+5, meters[0].Cost.Exchanges, 5)
}

// Whatever the constants are, more hosts are no help where latency is all that is left, and one process has nobody to wait for.
func TestThePartsOfAPrediction(t *testing.T) {
	costs := Costs{Tree: time.Microsecond, Correction: 2 * time.Microsecond, Letter: time.Nanosecond, Memory: 100}
	network := Network{Latency: time.Millisecond, Peer: time.Microsecond, Bandwidth: letterBytes * 1e6}
	alone := Job{Levels: 20, PerHost: 1, Workers: 4, Cores: 4}
	require.Equal(t, Prediction{Work: (1 << 20) * 3 * time.Microsecond / 4, Memory: 100 << 20}, alone.Predict(costs, network))
	bound := Job{Levels: 20, PerHost: 1, Workers: 1, Cores: 4}
	require.Equal(t, (1<<20)*3*time.Microsecond, bound.Predict(costs, network).Total(), "one worker has one processor")

	shared := Job{Levels: 20, Q: 3, PerHost: 1, Workers: 4, Cores: 4}.Predict(costs, network)
	require.Equal(t, (1<<17)*time.Nanosecond, shared.Letters)
	require.Equal(t, time.Duration(2*Job{Levels: 20, Q: 3}.exchanges())*(time.Millisecond+7*time.Microsecond), shared.Latency)
	require.InDelta(t, (3 * (1 << 17) * time.Microsecond).Seconds(), shared.Transfer.Seconds(), 1e-6)
	require.EqualValues(t, 100<<17, shared.Memory)
	least := (1 << 17) * 3 * time.Microsecond / 4
	require.Greater(t, shared.Work, least, "some wait for others in the tree")
	require.Less(t, shared.Work, 2*least)

	crowded := Job{Levels: 20, Q: 3, PerHost: 8, Workers: 1, Cores: 2}.Predict(costs, network)
	require.GreaterOrEqual(t, crowded.Work, (1<<20)*3*time.Microsecond/2, "a host has no more than its processors")
	require.EqualValues(t, 100<<20, crowded.Memory)
}

// Predictions were within this factor of what was measured.
const within = 2.0

func TestPredictionsAreNearObservations(t *testing.T) {
	for _, o := range Observed {
		ratio := o.Predict(Measured, SharedMemory).Total().Seconds() / o.Took.Seconds()
		require.Less(t, ratio, within, "%+v", o)
		require.Greater(t, ratio, 1/within, "%+v", o)
	}
}

// The tables of docs/clusters.md are what the model says.
func TestTheTablesOfScaleAreWhatTheModelSays(t *testing.T) {
	const (
		document = "../../docs/clusters.md"
		end      = "<!-- The end of the table -->\n"
	)
	for name, table := range map[string]string{
		"prediction": Small.Table() + "\n" + Large.Table() + "\n" + Large.Split(30),
		"comparison": Comparison(),
	} {
		begin := fmt.Sprintf("<!-- The table is written by: go test ./internal/scale -update (%s) -->\n", name)
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		before, rest, found := strings.Cut(string(text), begin)
		require.True(t, found, "%s has no %q", document, begin)
		have, after, found := strings.Cut(rest, end)
		require.True(t, found)
		if *update {
			require.NoError(t, os.WriteFile(document, []byte(before+begin+table+end+after), 0o666))
			continue
		}
		require.Equal(t, strings.Split(table, "\n"), strings.Split(have, "\n"), "run with -update to rewrite the table")
	}
}
