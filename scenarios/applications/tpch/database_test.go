package tpch_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
)

func TestScalesOutsideTheRangeAreRefused(t *testing.T) {
	for _, scale := range []float64{tpch.MinScale, 0.01, 1, tpch.MaxScale} {
		require.NoError(t, tpch.Database{Scale: scale}.Validate())
	}
	for text, scale := range map[string]float64{
		"0": 0, "-1": -1, "9e-07": 9e-7, "1000.5": 1000.5, "+Inf": math.Inf(1), "NaN": math.NaN(),
	} {
		database := tpch.Database{Scale: scale}
		want := "tpch: scale = " + text + ", want 1e-06 to 1000"
		require.EqualError(t, database.Validate(), want)
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
		database := tpch.Database{Scale: row.scale}
		require.Equal(t, row.customers, database.CustomerCount(), "scale %v", row.scale)
		require.Equal(t, row.orders, database.OrderCount(), "scale %v", row.scale)
	}
}

func TestPartitionsThatDoNotExistPanic(t *testing.T) {
	database := tpch.Database{Scale: 1}
	require.PanicsWithValue(t, "tpch: partition 3 of 3, want 0 to 2", func() { database.Partition(3, 3) })
	require.PanicsWithValue(t, "tpch: partition -1 of 3, want 0 to 2", func() { database.Partition(-1, 3) })
}

// Numbers and keys hold what the largest scale needs.
func TestLastRowsOfTheLargestScale(t *testing.T) {
	database := tpch.Database{Scale: tpch.MaxScale}
	last := database.Partition(1<<20-1, 1<<20)
	var customer tpch.Customer
	for customer = range last.Customers() {
	}
	require.EqualValues(t, 150_000_000, customer.Key)
	var order tpch.Order
	for order = range last.Orders() {
		require.Positive(t, order.Customer)
		require.LessOrEqual(t, int(order.Customer), database.CustomerCount())
	}
	require.Equal(t, int64(6_000_000_000), order.Key)
	require.NotEmpty(t, last.Lineitems(order, nil))
}

func TestBytesAreThoseOfTheSpecification(t *testing.T) {
	const customers, orders = 15_000, 150_000
	all := tpch.Database{Scale: 0.1, Seed: 3}.Partition(0, 1)
	lineitems := all.Rows() - customers - orders
	require.Equal(t, 179*customers+104*orders+112*lineitems, all.Bytes())
	require.InEpsilon(t, 0.1*855e6, all.Bytes(), 0.01)
}
