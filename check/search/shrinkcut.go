package search

import "github.com/mangrove-emu/mangrove/faults"

// simplerCuts lists cuts of fewer ranks, then of smaller ones, then earlier ones.
func simplerCuts(f faults.Fault) []faults.Fault {
	var all []faults.Fault
	for _, fewer := range parts(f.Left) {
		all = append(all, faults.CutBetween(fewer, f.Right, f.At.Time))
	}
	for _, fewer := range parts(f.Right) {
		all = append(all, faults.CutBetween(f.Left, fewer, f.At.Time))
	}
	if f.Right == faults.Others && f.Left.Size() == 1 {
		for _, rank := range smallerRanks(f.Left.Ranks()[0]) {
			all = append(all, faults.CutBetween(faults.GroupOf(rank), f.Right, f.At.Time))
		}
	}
	return append(all, earlier(f)...)
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
