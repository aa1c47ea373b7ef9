package paper

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

// Nearly all of the time is what it takes to make a partition: once without a failure, twice with one, and
// three times if all is made again on the ranks left, of which one has two.
func TestTheQueryTakesAsLongAsItsPartitions(t *testing.T) {
	machine := scaledQuery
	machine.sizes = machine.sizes[:3]
	all, err := measureQueries(t.Context(), machine, Options{})
	require.NoError(t, err)
	require.Len(t, all, 3*len(queryPhases))
	const partition = 17.9 // seconds
	for _, q := range all {
		require.InDelta(t, partition, q.took[plain], 0.2)
		if q.phase == "none" {
			require.Greater(t, q.took[tolerant], q.took[plain])
			require.InDelta(t, q.took[plain], q.took[tolerant], 0.001)
			require.Zero(t, q.took[restart]+q.took[fresh])
			continue
		}
		require.InDelta(t, 2*partition, q.took[tolerant], 0.6, "%+v", q)
		require.InDelta(t, 2*partition, q.took[optimistic], 0.3, "%+v", q)
		require.InDelta(t, 2*partition, q.took[fresh], 0.3, "%+v", q)
		require.InDelta(t, 3*partition, q.took[restart], 0.6, "%+v", q)
		require.InDelta(t, 1.1*partition, q.took[replicas], 0.4, "%+v", q)
	}
	r := queryResult(machine, all)
	require.Equal(t, map[string]bool{
		"no failure: tolerance adds, us":                   true,
		"failure: tolerant over restart on the ranks left": true,
		"failure: tolerant over restart on fresh ranks":    false,
		"fresh - tolerant: last phase over the first":      false,
		"last phase: optimistic over tolerant":             false,
	}, verdicts(r))
	requireReadable(t, r)
	requireInDocument(t, "collectives.md", r.Table.Text())
}

// Machines of all sizes take long, so tests leave out the larger ones.
func TestTheQueryRunsOnMachinesOfAllSizesInTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/collectives.md")
	require.NoError(t, err)
	usual, _, found := strings.Cut(string(text), "\n### A gigabyte for each rank\n") // behind which is the table of --full, in part
	require.True(t, found)
	var sizes []int
	for _, row := range regexp.MustCompile(`(?m)^alltoallv +(\d+) `).FindAllStringSubmatch(usual, -1) {
		ranks, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		sizes = append(sizes, ranks)
	}
	require.Equal(t, scaledQuery.sizes, sizes)
}

func TestAQueryMustComeToItsResult(t *testing.T) {
	_, err := resultOf(t.Context(), "tpch-q3 P=4 sf=0.004 strategy=plain faults=crash:2@step:gather")
	require.ErrorContains(t, err, "no result, or a wrong one: tpch-q3 P=4 sf=0.004 strategy=plain")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = resultOf(ctx, "tpch-q3 P=4 sf=0.004")
	require.ErrorIs(t, err, context.Canceled)
}

// All rows take as long as a thousandth of them that take a thousand times as long each, but for messages, which are not a
// thousand times as long: they differ by less than what numbers of rows do by chance.
func TestTheWholeQueryIsAGigabyteForEachRank(t *testing.T) {
	phases := []string{"none"}
	if thorough.All() {
		phases = queryPhases
	}
	for _, phase := range phases {
		const ranks = 2
		times, costs, err := wholeQuery.measure(t.Context(), phase, ranks, nil)
		require.NoError(t, err)
		require.Contains(t, costs[0].Line, "P=2 sf=2 ")
		scaled, _, err := scaledQuery.measure(t.Context(), phase, ranks, nil)
		require.NoError(t, err)
		for way, took := range times.took {
			require.InEpsilon(t, scaled.took[way], took, 0.04, "%s, %s", phase, way)
		}
		require.InDelta(t, 17.68, times.took[plain], 0.005)
		require.NotEqual(t, scaled.answer, times.answer)
		var want []string // the reference, without partitions
		for _, r := range tpch.Default().Run(tpch.Database{Scale: ranks}) {
			want = append(want, fmt.Sprintf("%d|%s|%v|%d", r.Order, r.RevenueText(), r.Date, r.ShipPriority))
		}
		require.Equal(t, want, times.answer.Lines()[1:])
	}
	require.Equal(t, scaledQuery.sizes, wholeQuery.sizes)
}

// Who asks for all rows is told how long that takes, and everybody how far it is.
func TestTheQueryTellsHowFarItIs(t *testing.T) {
	machine := scaledQuery
	machine.sizes = []int{2, 4}
	for _, size := range []campaign.Size{campaign.Quick, campaign.Usual, campaign.Full} {
		var expected, done []int
		_, err := measureQueries(t.Context(), machine, Options{
			Size: size,
			Expect: func(c *campaign.Campaign, runs int, took time.Duration) {
				require.Equal(t, "tpch-q3", c.Name)
				require.Positive(t, took)
				expected = append(expected, runs)
			},
			Progress: func(c *campaign.Campaign, n, of int) {
				require.Equal(t, "tpch-q3", c.Name)
				require.Equal(t, 48, of)
				done = append(done, n)
			},
		})
		require.NoError(t, err)
		require.Equal(t, []int{4, 8, 13, 18, 23, 28, 33, 38, 43, 48}, done)
		if size == campaign.Full {
			require.Equal(t, []int{44}, expected)
		} else {
			require.Empty(t, expected)
		}
	}
}

// Of 4 runs on 2 ranks in 8 seconds each takes a second a rank: 20 more on 2, and 24 on 4.
func TestTheTimeOfAQueryIsThatOfItsRanks(t *testing.T) {
	machine := queryMachine{sizes: []int{2, 4}}
	require.Equal(t, 48, machine.runs())
	require.Equal(t, (20*2+24*4)*time.Second, machine.estimate(8*time.Second))
}

func TestTheAnswerOfTheMostRanksIsTold(t *testing.T) {
	machine := scaledQuery
	machine.sizes = []int{2, 4}
	all, err := measureQueries(t.Context(), machine, Options{})
	require.NoError(t, err)
	r := queryResult(machine, all)
	last := all[len(all)-1].answer
	require.Len(t, last.Rows, 10)
	require.Contains(t, r.Text(), "\nThe answer on 4 ranks, whatever fails:\n"+strings.Join(last.Lines(), "\n")+"\n")
	for _, q := range all {
		if q.ranks == 4 {
			require.Equal(t, last, q.answer)
		}
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	rows, err := json.Marshal(last)
	require.NoError(t, err)
	require.Contains(t, string(text), `"answer":`+string(rows))
}
