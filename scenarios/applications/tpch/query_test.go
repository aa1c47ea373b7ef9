package tpch_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
)

func TestDefaultIsTheQueryThatAnswersAreValidatedWith(t *testing.T) {
	query := tpch.Default()
	require.Equal(t, "BUILDING", query.Segment.String())
	require.Equal(t, "1995-03-15", query.Date.String())
}

// An order placed some days before the date has lineitems shipped after it unless all of its 1
// to 7 took no longer than those days, of 121.
func TestAsManyOrdersQualifyAsTheRangesOfColumnsLeadTo(t *testing.T) {
	const partitions = 20_000 // so small that none has more than the best ten
	database, query := tpch.Database{Scale: 0.5, Seed: 2}, tpch.Default()
	want := 0.0
	for days := 1; days <= 120; days++ {
		for size := 1; size <= tpch.MaxLineitems; size++ {
			want += (1 - math.Pow(float64(days)/121, float64(size))) / tpch.MaxLineitems
		}
	}
	want *= float64(database.OrderCount()) / 2406 / 5 // orders of a day, in a segment

	known := tpch.NewSet(query.Customers(database.Partition(0, 1)))
	found := 0
	for i := range partitions {
		best := query.Top(database.Partition(i, partitions), known)
		require.Less(t, len(best), tpch.Limit)
		found += len(best)
	}
	require.InEpsilon(t, want, found, 0.03) // two standard deviations
}

func TestWithoutKnownCustomersThereAreNoResults(t *testing.T) {
	require.Empty(t, tpch.Default().Top(tpch.Database{Scale: 0.01}.Partition(0, 1), tpch.Set{}))
}

// The first day has no orders before it, and after the last nothing is shipped.
func TestDatesAtTheEndsHaveNoResults(t *testing.T) {
	for _, date := range []tpch.Date{0, 2526, 2556} {
		query := tpch.Query{Segment: tpch.Building, Date: date}
		all := tpch.Database{Scale: 0.01}.Partition(0, 1)
		require.Nil(t, query.Top(all, tpch.NewSet(query.Customers(all))))
		require.Nil(t, query.Run(tpch.Database{Scale: 0.01}))
	}
}

func TestSetsHaveTheKeysOfTheirListsOnly(t *testing.T) {
	set := tpch.NewSet([]int32{64, 1}, nil, []int32{200, 1, 127})
	for key := int32(-300); key <= 300; key++ {
		want := key == 1 || key == 64 || key == 127 || key == 200
		require.Equal(t, want, set.Has(key), key)
	}
	require.False(t, tpch.NewSet().Has(1))
	require.False(t, tpch.Set{}.Has(0))
}

func TestTiesAreBrokenByDateThenByKey(t *testing.T) {
	first := tpch.Result{Order: 9, Revenue: 500, Date: 7}
	second := tpch.Result{Order: 8, Revenue: 400, Date: 5}
	third := tpch.Result{Order: 1, Revenue: 400, Date: 6}
	fourth := tpch.Result{Order: 2, Revenue: 400, Date: 6}
	want := []tpch.Result{first, second, third, fourth}
	require.Equal(t, want, tpch.Merge([]tpch.Result{third, first}, []tpch.Result{fourth, second}))
	require.Equal(t, want, tpch.Merge(want, nil))
	require.Equal(t, want, tpch.Merge(nil, want))
	require.Nil(t, tpch.Merge(nil, nil))
}

func TestTheTenthPlaceGoesToTheSmallerKeyOnATie(t *testing.T) {
	var even, odd []tpch.Result
	for key := range int64(tpch.Limit) {
		even = append(even, tpch.Result{Order: 2 * key, Revenue: 100})
		odd = append(odd, tpch.Result{Order: 2*key + 1, Revenue: 100})
	}
	best := tpch.Merge(odd, even)
	require.Len(t, best, tpch.Limit)
	for key, result := range best {
		require.EqualValues(t, key, result.Order)
	}
}

func TestARowThatIsInBothComesTwice(t *testing.T) {
	row := []tpch.Result{{Order: 1, Revenue: 100}}
	require.Equal(t, []tpch.Result{row[0], row[0]}, tpch.Merge(row, row))
}
