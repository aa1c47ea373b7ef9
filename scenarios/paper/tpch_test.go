package paper

import (
	"context"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
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
	var sizes []int
	for _, row := range regexp.MustCompile(`(?m)^alltoallv +(\d+) `).FindAllStringSubmatch(string(text), -1) {
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
