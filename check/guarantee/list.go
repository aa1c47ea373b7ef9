package guarantee

import (
	"fmt"
	"strings"
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
	last := parts[len(parts)-1]
	if more := len(ranks) - len(parts); more > 0 {
		last = fmt.Sprintf("%d more", more)
	} else {
		parts = parts[:len(parts)-1]
	}
	return "ranks " + strings.Join(parts, ", ") + " and " + last
}

// listAll prints things one after the other, eight at most.
func listAll[T fmt.Stringer](things []T, separator string) string {
	var parts []string
	for _, thing := range things[:min(len(things), maxListed)] {
		parts = append(parts, thing.String())
	}
	text := strings.Join(parts, separator)
	if more := len(things) - len(parts); more > 0 {
		text += fmt.Sprintf("%sand %d more", separator, more)
	}
	return text
}
