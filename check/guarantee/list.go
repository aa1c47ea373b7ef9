package guarantee

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report"
)

// maxListed is how many ranks a piece of evidence lists.
const maxListed = 8

// ListRanks reads like "rank 5", "ranks 5 and 9" or "ranks 5, 9 and 3 more", and lists eight
// at most. Of no ranks it says "no rank".
func ListRanks(ranks []int) string { return listFound(report.Found{First: ranks, Count: len(ranks)}) }

// listFound is ListRanks of ranks of which only the first are known.
func listFound(f report.Found) string {
	switch f.Count {
	case 0:
		return "no rank"
	case 1:
		return fmt.Sprintf("rank %d", f.First[0])
	}
	var parts []string
	for _, r := range f.First[:min(len(f.First), maxListed)] {
		parts = append(parts, fmt.Sprint(r))
	}
	if more := f.Count - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return "ranks " + text.List(parts)
}

// listAll prints the first of so many things one after the other, eight at most.
func listAll[T fmt.Stringer](things []T, count int, separator string) string {
	var parts []string
	for _, thing := range things[:min(len(things), maxListed)] {
		parts = append(parts, thing.String())
	}
	if more := count - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, separator)
}
