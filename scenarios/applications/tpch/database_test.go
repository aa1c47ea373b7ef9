package tpch

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScalesOutsideTheRangeAreRefused(t *testing.T) {
	for _, scale := range []float64{MinScale, 0.01, 1, MaxScale} {
		require.NoError(t, Database{Scale: scale}.validate())
	}
	for text, scale := range map[string]float64{
		"0": 0, "-1": -1, "9e-07": 9e-7, "1000.5": 1000.5, "+Inf": math.Inf(1), "NaN": math.NaN(),
	} {
		database := Database{Scale: scale}
		want := "tpch: scale = " + text + ", want 1e-06 to 1000"
		require.EqualError(t, database.validate(), want)
		require.PanicsWithError(t, want, func() { database.Partition(0, 1) })
	}
}

func TestTablesGrowWithTheScale(t *testing.T) {
	for _, row := range []struct {
		scale             float64
		customers, orders int
	}{
		{1e-6, 1, 2}, {1e-5, 2, 15}, {0.01, 1500, 15_000}, {0.07, 10_500, 105_000}, {1, 150_000, 1_500_000}, {1000, 150_000_000, 1_500_000_000},
	} {
		database := Database{Scale: row.scale}
		require.Equal(t, row.customers, database.customerCount(), "scale %v", row.scale)
		require.Equal(t, row.orders, database.orderCount(), "scale %v", row.scale)
	}
}

func TestPartitionsThatDoNotExistPanic(t *testing.T) {
	database := Database{Scale: 1}
	require.PanicsWithValue(t, "tpch: partition 3 of 3, want 0 to 2", func() { database.Partition(3, 3) })
	require.PanicsWithValue(t, "tpch: partition -1 of 3, want 0 to 2", func() { database.Partition(-1, 3) })
}

// Numbers and keys hold what the largest scale needs.
func TestLastRowsOfTheLargestScale(t *testing.T) {
	database := Database{Scale: MaxScale}
	last := readAll(database.Partition(1<<20-1, 1<<20))
	require.EqualValues(t, 150_000_000, last.customers[len(last.customers)-1].key)
	for _, order := range last.orders {
		require.Positive(t, order.customer)
		require.LessOrEqual(t, int(order.customer), database.customerCount())
	}
	require.Equal(t, int64(6_000_000_000), last.orders[len(last.orders)-1].key)
	require.NotEmpty(t, last.lineitems[len(last.lineitems)-1])
}
