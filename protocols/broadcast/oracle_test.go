package broadcast_test

import (
	"context"
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// cost is what one broadcast costs.
type cost struct {
	messages              int64
	colouring, quiescence clock.Time
	unreached             int
}

func costOf(r *emu.Report) cost {
	return cost{r.Messages, r.Coloring, r.Quiescence, len(r.Unreached)}
}

// run broadcasts once on the binomial tree with synchronized checked correction.
func run(t testing.TB, logp clock.LogP, schedule faults.Schedule) *emu.Report {
	t.Helper()
	machine, err := emu.New(emu.Config{LogP: logp, Trace: emu.TraceHash})
	require.NoError(t, err)
	b, err := broadcast.New(logp, tree.Binomial{Ranks: logp.Ranks}, &correction.Checked{})
	require.NoError(t, err)
	report, err := machine.Run(context.Background(), b.Program(mailbox.Message{A: 42}), emu.Options{Faults: schedule})
	require.NoError(t, err)
	return report
}

// testdata/oracle.csv: exact costs, from the Corrected Trees authors' own simulator.
func TestCostsEqualTheAuthorsSimulator(t *testing.T) {
	file, err := os.Open("testdata/oracle.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	column := make(map[string]int)
	for i, name := range rows[0] {
		column[name] = i
	}
	require.Len(t, rows[1:], 96)
	for _, row := range rows[1:] {
		number := func(name string) int {
			n, err := strconv.Atoi(row[column[name]])
			require.NoError(t, err)
			return n
		}
		logp := clock.LogP{
			Ranks:    number("P"),
			Latency:  clock.Time(number("L")),
			Overhead: clock.Time(number("o")),
		}
		var dead faults.Schedule
		for _, field := range strings.Fields(row[column["failed"]]) {
			rank, err := strconv.Atoi(field)
			require.NoError(t, err)
			dead = append(dead, faults.Fault{Kind: faults.Crash, Rank: rank})
		}
		want := cost{
			int64(number("messages")), clock.Time(number("colouring")),
			clock.Time(number("quiescence")), number("unreached"),
		}
		require.Equal(t, want, costOf(run(t, logp, dead)), "row %v", row)
	}
}

// Small rings: the two sides stop when they have met, which no row above is small enough
// to show for fewer than three ranks.
func TestCostOfTinyBroadcasts(t *testing.T) {
	logp := clock.LogP{Ranks: 1, Latency: 2, Overhead: 1}
	require.Equal(t, cost{}, costOf(run(t, logp, nil)), "nobody to send to")
	logp.Ranks = 2
	require.Equal(t, cost{messages: 1 + 2*2, colouring: 4, quiescence: 9}, costOf(run(t, logp, nil)))
}

// Every rank sends 3 + L/o correction messages when nobody fails and o divides L, which
// takes 4o + 2L (Corrected Trees, lemma 2 and corollary 1).
func TestCostOfLargeBroadcast(t *testing.T) {
	const ranks = 1 << 16
	logp := clock.LogP{Ranks: ranks, Latency: 2, Overhead: 1}
	report := run(t, logp, nil)
	require.Equal(t, cost{messages: 393_215, colouring: 64, quiescence: 72}, costOf(report))
	require.EqualValues(t, ranks-1+5*ranks, report.Messages)
	require.EqualValues(t, 19, report.Windows, "the scheduler needs no more than these")
	require.EqualValues(t, 204_862, report.Wakes, "about one for each phase of a rank")
	require.Empty(t, report.Deadlocks)
}
