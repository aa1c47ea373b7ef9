package main

import (
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/internal/text"
)

// countOrMore is text.Count for numbers that are counted as far as they go.
func countOrMore(n int64, what string) string {
	if n == math.MaxInt64 {
		return fmt.Sprintf("%d or more %ss", n, what)
	}
	return text.Count(n, what)
}
