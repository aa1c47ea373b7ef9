package search

import "math"

// Numbers of schedules grow beyond all bounds with the number of faults. They are counted up to
// math.MaxInt64, which then means that many or more.

func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// combinations counts the ways to let one or more ranks fail, but no more than so many, if
// each of them can fail at so many points and no failure has an influence on the others'.
func combinations(points []int64, most int) (sum int64) {
	most = min(most, len(points))
	ways := make([]int64, most+1) // ways[k]: for k of the ranks looked at so far
	ways[0] = 1
	for _, n := range points {
		for k := most; k > 0; k-- {
			ways[k] = plus(ways[k], times(ways[k-1], n))
		}
	}
	for _, n := range ways[1:] {
		sum = plus(sum, n)
	}
	return sum
}
