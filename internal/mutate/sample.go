package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// sample draws n mistakes that compile and are wanted, or all if there are no more. What is drawn for a package does not depend on
// which others there are, and hardly on which are not wanted.
func (u *unit) sample(all []mutant, wanted func(mutant) bool, n int, seed uint64) []mutant {
	name := fnv.New64()
	name.Write([]byte(u.path))
	drawn := slices.Clone(all)
	rand.New(rand.NewPCG(seed, name.Sum64())).Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	var chosen []mutant
	for _, m := range drawn {
		if len(chosen) < n && wanted(m) && u.compiles(m) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}
