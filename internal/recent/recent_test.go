package recent_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/recent"
)

func TestResultsAreWorkedOutOnce(t *testing.T) {
	var results recent.Results[string, *string]
	calls := 0
	upper := func(s string) *string {
		calls++
		s = strings.ToUpper(s)
		return &s
	}
	first := results.Of("a", upper)
	require.Equal(t, "A", *first)
	require.Same(t, first, results.Of("a", upper))
	require.Equal(t, 1, calls)
	for _, other := range []string{"b", "c", "d"} { // as many as are kept
		require.Equal(t, strings.ToUpper(other), *results.Of(other, upper))
	}
	require.Same(t, first, results.Of("a", upper))
	require.Equal(t, 4, calls)
	results.Of("e", upper) // which makes the oldest give way
	require.NotSame(t, first, results.Of("a", upper))
	require.Equal(t, "A", *results.Of("a", upper))
	require.Equal(t, 6, calls)
}

func TestResultsOfManyAtOnce(t *testing.T) {
	var results recent.Results[int, int]
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 10_000 {
				key := (i*worker + i) % 9
				if got := results.Of(key, func(k int) int { return k * k }); got != key*key {
					t.Errorf("%d of %d", got, key)
				}
			}
		})
	}
	all.Wait()
}
