package tcp

// layout is how ranks are spread over processes: in blocks of neighbours whose lengths differ by
// one at most.
type layout struct{ ranks, processes int }

// process is the one that a rank lives in.
func (l layout) process(rank int) int {
	// The first one whose block ends behind the rank.
	return ((rank+1)*l.processes - 1) / l.ranks
}

// first is the first rank of a process; that of the process after the last one is the number of
// ranks.
func (l layout) first(process int) int { return process * l.ranks / l.processes }

// of are the ranks of a process.
func (l layout) of(process int) []int {
	all := make([]int, l.first(process+1)-l.first(process))
	for i := range all {
		all[i] = l.first(process) + i
	}
	return all
}
