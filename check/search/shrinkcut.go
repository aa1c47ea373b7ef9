package search

import "github.com/mangrove-emu/mangrove/faults"

// simplerCuts lists cuts, or mends, of fewer ranks, then of smaller ones, then earlier ones.
func simplerCuts(f faults.Fault) []faults.Fault {
	var all []faults.Fault
	for _, fewer := range parts(f.Left) {
		all = append(all, between(f, fewer, f.Right))
	}
	for _, fewer := range parts(f.Right) {
		all = append(all, between(f, f.Left, fewer))
	}
	if f.Right == faults.Others && f.Left.Size() == 1 {
		for _, rank := range smallerRanks(f.Left.Ranks()[0]) {
			all = append(all, between(f, faults.GroupOf(rank), f.Right))
		}
	}
	return append(all, earlier(f)...)
}

// between is the same cut or mend of other links.
func between(f faults.Fault, left, right faults.Group) faults.Fault {
	if f.OneWay {
		f.Left, f.Right = left, right
		return f
	}
	cut := faults.CutBetween(left, right, f.At.Time)
	cut.Kind = f.Kind
	return cut
}

// maxAlone is how many ranks of a side the shrinker tries alone.
const maxAlone = 8

// parts lists smaller sets than one of several ranks: its first ranks alone, then its halves.
func parts(g faults.Group) []faults.Group {
	ranks := g.Ranks()
	if len(ranks) < 2 {
		return nil
	}
	var all []faults.Group
	for _, rank := range ranks[:min(len(ranks), maxAlone)] {
		all = append(all, faults.GroupOf(rank))
	}
	half := len(ranks) / 2
	return append(all, faults.GroupOf(ranks[:half]...), faults.GroupOf(ranks[half:]...))
}

// smallerRanks are ranks to try in the place of another.
func smallerRanks(rank int) []int {
	var all []int
	for _, r := range []int{0, 1, rank / 2, rank - 1} {
		if r >= 0 && r < rank {
			all = append(all, r)
		}
	}
	return all
}
