package tpch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyDatabase has a scale of 1e-5 to 0.01, small and large ones alike.
func anyDatabase(t *rapid.T) Database {
	return Database{
		Scale: math.Pow(10, rapid.Float64Range(-5, -2).Draw(t, "log scale")),
		Seed:  rapid.Uint64().Draw(t, "seed"),
	}
}

// anyPartitions may be more than there are rows.
func anyPartitions(t *rapid.T) int {
	return rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 40_000)).Draw(t, "partitions")
}

func anyQuery(t *rapid.T) Query {
	return Query{
		Segment: Segment(rapid.IntRange(0, len(segmentNames)-1).Draw(t, "segment")),
		Date:    Date(rapid.IntRange(0, 2556).Draw(t, "date")),
	}
}

// The database does not depend on the number of partitions.
func TestPartitionsTogetherAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		database, partitions := anyDatabase(t), anyPartitions(t)
		var all tables
		rows := 0
		for i := range partitions {
			part := database.Partition(i, partitions)
			some := readAll(part)
			all.customers = append(all.customers, some.customers...)
			all.orders = append(all.orders, some.orders...)
			all.lineitems = append(all.lineitems, some.lineitems...)
			rows += part.Rows()
		}
		whole := database.Partition(0, 1)
		require.Equal(t, readAll(whole), all)
		require.Equal(t, whole.Rows(), rows)
		require.Len(t, all.customers, database.customerCount())
		require.Len(t, all.orders, database.orderCount())
		require.Equal(t, len(all.customers)+len(all.orders)+len(slices.Concat(all.lineitems...)), rows)
	})
}

func TestPartitionsDifferByOneRowAtMost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		database, partitions := anyDatabase(t), anyPartitions(t)
		customers, orders := database.customerCount()/partitions, database.orderCount()/partitions
		all := readAll(database.Partition(rapid.IntRange(0, partitions-1).Draw(t, "i"), partitions))
		require.Contains(t, []int{customers, customers + 1}, len(all.customers))
		require.Contains(t, []int{orders, orders + 1}, len(all.orders))
	})
}

func TestDatabasesOfOtherSeedsDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		database := Database{Scale: 0.001, Seed: rapid.Uint64().Draw(t, "seed")}
		other := Database{Scale: 0.001, Seed: database.Seed + rapid.Uint64Range(1, 9).Draw(t, "more")}
		one, two := readAll(database.Partition(0, 1)), readAll(other.Partition(0, 1))
		require.Equal(t, one, readAll(database.Partition(0, 1)))
		require.NotEqual(t, one.customers, two.customers)
		require.NotEqual(t, one.orders, two.orders)
		require.NotEqual(t, one.lineitems, two.lineitems)
	})
}

// Whatever the partitions, and in whatever order they are merged.
func TestPiecesAnswerAsTheReferenceDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		database, partitions, query := anyDatabase(t), anyPartitions(t), anyQuery(t)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order of merges"), 0))
		require.Equal(t, query.Run(database), mergeAnyhow(tops(database, partitions, query), random))
	})
}

// As before, with many more orders that qualify than there are in an answer.
func TestPiecesOfALargerDatabaseAnswerAsTheReferenceDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(3) {
		database, query := Database{Scale: 0.03, Seed: seed}, Default()
		want := query.Run(database)
		require.Len(t, want, Limit)
		for _, partitions := range []int{1, 2, 7, 64, 1000, 50_000} {
			require.Equal(t, want, mergeAnyhow(tops(database, partitions, query), random), "%d partitions", partitions)
		}
	}
}

// tops is the best of each partition.
func tops(database Database, partitions int, query Query) [][]Result {
	var lists [][]int32
	for i := range partitions {
		lists = append(lists, query.Customers(database.Partition(i, partitions)))
	}
	known := NewSet(lists...)
	var best [][]Result
	for i := range partitions {
		best = append(best, query.Top(database.Partition(i, partitions), known))
	}
	return best
}

// mergeAnyhow merges any two until one is left.
func mergeAnyhow(best [][]Result, random *rand.Rand) []Result {
	for last := len(best) - 1; last > 0; last-- {
		at := random.IntN(last)
		best[at] = Merge(best[last], best[at])
	}
	return best[0]
}

// Few different values make many ties. An order has one revenue and date, wherever it comes
// from.
func anyResults(t *rapid.T, name string) []Result {
	keys := rapid.SliceOfN(rapid.Int64Range(0, 40), 0, 2*Limit).Draw(t, name)
	var results []Result
	for _, key := range keys {
		results = append(results, Result{Order: key, Revenue: key % 3, Date: Date(key % 2)})
	}
	return Merge(results, nil)
}

func TestMergeIsAssociativeAndCommutative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyResults(t, "a"), anyResults(t, "b"), anyResults(t, "c")
		a0, b0 := slices.Clone(a), slices.Clone(b)
		require.Equal(t, Merge(a, b), Merge(b, a))
		require.Equal(t, Merge(Merge(a, b), c), Merge(a, Merge(b, c)))
		require.Equal(t, a, Merge(a, nil))
		require.Equal(t, a0, a)
		require.Equal(t, b0, b)
	})
}
