package guarantee

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/text"
)

// maxListed is how many ranks a piece of evidence lists.
const maxListed = 8

// ListRanks reads like "rank 5", "ranks 5 and 9" or "ranks 5, 9 and 3 more", and lists eight
// at most. Of no ranks it says "no rank".
func ListRanks(ranks []int) string {
	switch len(ranks) {
	case 0:
		return "no rank"
	case 1:
		return fmt.Sprintf("rank %d", ranks[0])
	}
	var parts []string
	for _, r := range ranks[:min(len(ranks), maxListed)] {
		parts = append(parts, fmt.Sprint(r))
	}
	if more := len(ranks) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return "ranks " + text.List(parts)
}

// listAll prints things one after the other, eight at most.
func listAll[T fmt.Stringer](things []T, separator string) string {
	var parts []string
	for _, thing := range things[:min(len(things), maxListed)] {
		parts = append(parts, thing.String())
	}
	if more := len(things) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, separator)
}
