package search

import "github.com/mangrove-emu/mangrove/clock"

// weigh estimates how many runs begin with each of the candidates, which are ordered by when
// they show, if so many more faults may follow it. A candidate is followed by those that show
// later on other ranks, and by the rank's own rejoins: the first ones by many, the last ones by
// none. Faults change what
// happens after them, so it is an estimate; it is made anew at each step of the way, from what
// did happen.
func (x *explorer) weigh(all []candidate, more int) []float64 {
	weights := make([]float64, len(all))
	later, laterOf := 0, make(map[int]int) // candidates, in all and by rank
	for i := len(all) - 1; i >= 0; i-- {
		rank, stops := all[i].fault.Rank, all[i].fault.Kind.Stops()
		followers := later
		if stops {
			followers += len(x.options.Rejoins) - laterOf[rank]
		}
		weights[i] = subsets(followers, more)
		if !x.shows(&all[i]) {
			continue
		}
		if later++; stops {
			laterOf[rank]++
		}
	}
	return weights
}

// shows reports whether a fault is worth a run in addition to others.
func (x *explorer) shows(c *candidate) bool { return c.shows != clock.Never || x.options.Every }

// subsets is how many subsets of up to k elements a set of n has. It stays far from where
// floating-point numbers end: such an exploration will not be finished anyway.
func subsets(n, k int) float64 {
	sum, choose := 1.0, 1.0 // choose is n over i
	for i := 1; i <= min(n, k); i++ {
		choose *= float64(n-i+1) / float64(i)
		if sum += choose; sum > 1e200 {
			return 1e200
		}
	}
	return sum
}
