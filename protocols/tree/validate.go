package tree

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// checkWithin refuses a value outside low to high.
func checkWithin(bad *problems.List, name string, value, low, high int) {
	if value < low || value > high { // not by Check: what would be said of good ones would be put on the heap
		bad.Add("%s %d, want %d to %d", name, value, low, high)
	}
}

// checkRanks refuses a number of ranks that no machine has.
func checkRanks(bad *problems.List, ranks int) { checkWithin(bad, "ranks", ranks, 1, clock.MaxRanks) }

// maxListed is how many ranks a tree may have that is listed in every process.
const maxListed = 1 << 24

// checkListed refuses a list that would be too long.
func checkListed(bad *problems.List, ranks int) {
	if ranks > maxListed && ranks <= clock.MaxRanks {
		bad.Add("ranks %d, want 1 to %d: every process lists all ranks of such a tree", ranks, maxListed)
	}
}

// checkNumbering refuses a numbering that does not exist.
func checkNumbering(bad *problems.List, n Numbering) {
	if n != Interleaved && n != InOrder {
		bad.Add("numbering %d, want %d (%v) or %d (%v)", int(n), int(Interleaved), Interleaved, int(InOrder), InOrder)
	}
}
