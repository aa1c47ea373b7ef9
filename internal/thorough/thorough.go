package thorough

import (
	"flag"
	"testing"
)

var all = flag.Bool("thorough", false, "leave nothing out, which takes minutes")

// All says whether tests leave nothing out.
func All() bool { return *all && !testing.Short() }

// Times is how often a test repeats something that it does n times if it leaves nothing out.
func Times[N int | uint64](n N) N {
	switch {
	case All():
		return n
	case testing.Short():
		return max(1, n/10)
	}
	return max(1, n/5)
}

// Stride is how far apart the cases are that a test goes through: all of them, every fifth, or with -short every n-th.
func Stride(n int) int {
	switch {
	case All():
		return 1
	case testing.Short():
		return n
	}
	return min(5, n)
}
