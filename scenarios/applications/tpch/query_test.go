package tpch

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDefaultIsTheQueryThatAnswersAreValidatedWith(t *testing.T) {
	query := Default()
	require.Equal(t, "BUILDING", query.Segment.String())
	require.Equal(t, "1995-03-15", query.Date.String())
}

// An order placed some days before the date has lineitems shipped after it unless all of its 1
// to 7 took no longer than those days, of 121.
func TestAsManyOrdersQualifyAsTheRangesOfColumnsLeadTo(t *testing.T) {
	const partitions = 20_000 // so small that none has more than the best ten
	database, query := Database{Scale: 0.5, Seed: 2}, Default()
	want := 0.0
	for days := 1; days <= 120; days++ {
		for size := 1; size <= maxLineitems; size++ {
			want += (1 - math.Pow(float64(days)/121, float64(size))) / maxLineitems
		}
	}
	want *= float64(database.orderCount()) / 2406 / 5 // orders of a day, in a segment

	known := NewSet(query.Customers(database.Partition(0, 1)))
	found := 0
	for i := range partitions {
		best := query.Top(database.Partition(i, partitions), known)
		require.Less(t, len(best), Limit)
		found += len(best)
	}
	require.InEpsilon(t, want, found, 0.03) // two standard deviations
}

func TestWithoutKnownCustomersThereAreNoResults(t *testing.T) {
	require.Empty(t, Default().Top(Database{Scale: 0.01}.Partition(0, 1), Set{}))
}

// The first day has no orders before it, and after the last nothing is shipped.
func TestDatesAtTheEndsHaveNoResults(t *testing.T) {
	for _, date := range []Date{0, 2526, 2556} {
		query := Query{Segment: building, Date: date}
		all := Database{Scale: 0.01}.Partition(0, 1)
		require.Nil(t, query.Top(all, NewSet(query.Customers(all))))
		require.Nil(t, query.Run(Database{Scale: 0.01}))
	}
}

func TestSetsHaveTheKeysOfTheirListsOnly(t *testing.T) {
	set := NewSet([]int32{64, 1}, nil, []int32{200, 1, 127})
	for key := int32(-300); key <= 300; key++ {
		want := key == 1 || key == 64 || key == 127 || key == 200
		require.Equal(t, want, set.has(key), key)
	}
	require.True(t, set.Equal(NewSet([]int32{1, 64, 127, 200})))
	require.False(t, set.Equal(NewSet([]int32{1, 64, 127, 201})))
	require.False(t, set.Equal(NewSet([]int32{1, 64, 127})))
	require.False(t, NewSet().has(1))
	require.False(t, Set{}.has(0))
}

func TestTiesAreBrokenByDateThenByKey(t *testing.T) {
	first := Result{Order: 9, Revenue: 500, Date: 7}
	second := Result{Order: 8, Revenue: 400, Date: 5}
	third := Result{Order: 1, Revenue: 400, Date: 6}
	fourth := Result{Order: 2, Revenue: 400, Date: 6}
	want := []Result{first, second, third, fourth}
	require.Equal(t, want, Merge([]Result{third, first}, []Result{fourth, second}))
	require.Equal(t, want, Merge(want, nil))
	require.Equal(t, want, Merge(nil, want))
	require.Nil(t, Merge(nil, nil))
}

func TestTheTenthPlaceGoesToTheSmallerKeyOnATie(t *testing.T) {
	var even, odd []Result
	for key := range int64(Limit) {
		even = append(even, Result{Order: 2 * key, Revenue: 100})
		odd = append(odd, Result{Order: 2*key + 1, Revenue: 100})
	}
	best := Merge(odd, even)
	require.Len(t, best, Limit)
	for key, result := range best {
		require.EqualValues(t, key, result.Order)
	}
}

func TestARowThatIsInBothComesTwice(t *testing.T) {
	row := []Result{{Order: 1, Revenue: 100}}
	require.Equal(t, []Result{row[0], row[0]}, Merge(row, row))
}

// More revenue comes first, however little more it is, and however late.
func TestAHundredthOfACentCounts(t *testing.T) {
	more, less := Result{Order: 9, Revenue: 4_000_001, Date: 7}, Result{Order: 1, Revenue: 4_000_000, Date: 1}
	require.Equal(t, []Result{more, less}, Merge([]Result{less}, []Result{more}))
	require.Equal(t, []Result{more, less}, firstTen([]Result{less, more}))
}
