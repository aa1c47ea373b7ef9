package tpch

import (
	"cmp"
	"slices"
)

// Limit is the number of rows in an answer.
const Limit = 10

// Result is a row of an answer.
type Result struct {
	Order        int64 // l_orderkey
	Revenue      int64 // in hundredths of a cent
	Date         Date  // o_orderdate
	ShipPriority int16 // o_shippriority
}

// RevenueText is the revenue with all of its four decimals.
func (r Result) RevenueText() string { return string(appendDecimal(nil, r.Revenue, 4)) }

// Merge is the best ten of both, best first. It is associative and commutative as long as all
// results of an order are the same, and leaves a and b as they are. What is in both of them
// comes twice: partitions do not overlap, so an answer that has a row twice has counted a
// partition twice, and ought to be seen.
func Merge(a, b []Result) []Result {
	var best []Result
	for _, results := range [][]Result{a, b} {
		for _, result := range results {
			best = insert(best, result)
		}
	}
	return best
}

// insert puts a result where it belongs among the best ten, which are in order.
func insert(best []Result, result Result) []Result {
	if len(best) == Limit && compare(result, best[Limit-1]) >= 0 {
		return best
	}
	at, _ := slices.BinarySearchFunc(best, result, compare)
	best = slices.Insert(slices.Grow(best, Limit+1-len(best)), at, result)
	return best[:min(len(best), Limit)]
}

// compare is negative if a comes before b in an answer.
func compare(a, b Result) int {
	return cmp.Or(
		cmp.Compare(b.Revenue, a.Revenue),
		cmp.Compare(a.Date, b.Date),
		cmp.Compare(a.Order, b.Order),
	)
}
