package main

import (
	"fmt"
	"math"
)

// count reads like "1 run" or "2 runs".
func count[T int | int64](n T, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// countOrMore is count for numbers that are counted as far as they go.
func countOrMore(n int64, what string) string {
	if n == math.MaxInt64 {
		return fmt.Sprintf("%d or more %ss", n, what)
	}
	return count(n, what)
}
