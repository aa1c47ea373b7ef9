package tcp

import "github.com/mangrove-emu/mangrove/internal/problems"

// Layout is how ranks are spread over processes: in blocks of neighbours whose lengths differ by
// one at most.
type Layout struct{ Ranks, Processes int }

// Process is the one that a rank lives in.
func (l Layout) Process(rank int) int {
	// The first one whose block ends behind the rank.
	return ((rank+1)*l.Processes - 1) / l.Ranks
}

// First is the first rank of a process; that of the process after the last one is the number of
// ranks.
func (l Layout) First(process int) int { return process * l.Ranks / l.Processes }

// Count is how many ranks live in a process.
func (l Layout) Count(process int) int { return l.First(process+1) - l.First(process) }

// check notes what is wrong with it.
func (l Layout) check(wrong *problems.List) {
	wrong.Check(l.Processes >= 1 && l.Processes <= l.Ranks, "%d processes, want 1 to %d, the number of ranks", l.Processes, l.Ranks)
}
