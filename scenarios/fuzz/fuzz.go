package fuzz

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Protocol returns a target for a protocol of a registry. Its guarantees are the judge: a run that breaks
// one is an error, and so is one that panics, does not end or differs with two workers.
func Protocol(g scenarios.Registry, name string) func(data []byte) error {
	p, ok := g.Lookup(name)
	if !ok {
		panic(fmt.Sprintf("fuzz: no protocol %s, want %s", name, line.OneOf(g.Names())))
	}
	return (&target{p, guaranteed}).check
}

// Broadcast checks a tree with a correction, once or several times in a row.
func Broadcast(data []byte) error { return of("broadcast").check(data) }

// MultiTree checks a broadcast down several trees at once.
func MultiTree(data []byte) error { return of("multitree").check(data) }

// Gossip checks Corrected Gossip, in all its variants.
func Gossip(data []byte) error { return of("gossip").check(data) }

// Big checks a broadcast over a binomial graph.
func Big(data []byte) error { return of("big").check(data) }

// Bfb checks Buntinas' broadcast, which begins again when ranks fail.
func Bfb(data []byte) error { return of("bfb").check(data) }

// Reduce checks a reduction.
func Reduce(data []byte) error { return of("reduce").check(data) }

// AllReduce checks a reduction whose result is broadcast.
func AllReduce(data []byte) error { return of("allreduce").check(data) }

// Membership checks the group membership service, with ranks that come back and cut links.
func Membership(data []byte) error { return of("membership").check(data) }

// Collective checks collective operations that go on when ranks fail.
func Collective(data []byte) error { return of("collective").check(data) }

// SampleSort checks sample sort, which is made of such operations.
func SampleSort(data []byte) error { return of("samplesort").check(data) }

// Query checks TPC-H query 3, which is, too.
func Query(data []byte) error { return of("tpch-q3").check(data) }

// Any lets the first byte choose a protocol of the catalogue, for fuzzers with a single entry.
func Any(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return targets[int(data[0])%len(targets)].check(data[1:])
}

// targets are all protocols of the catalogue, in its order.
var targets = catalogued()

func catalogued() (all []*target) {
	for _, p := range catalog.All() {
		t := &target{p, guaranteed}
		if own, ok := known[p.Name]; ok {
			t.promises = own
		}
		all = append(all, t)
	}
	return all
}

// of is the target of a protocol of the catalogue.
func of(name string) *target {
	return targets[slices.IndexFunc(targets, func(t *target) bool { return t.Name == name })]
}
