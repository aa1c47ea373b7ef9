package fuzz

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Protocol returns a target for a protocol of a registry. Its promises are the judge: a run that breaks one is an error, unless
// it is beyond what the protocol claims to stand ([guarantee.Promise].Stands); and so is a run that panics, does not end or
// differs with two workers.
func Protocol(g scenarios.Registry, name string) func(data []byte) error {
	p, ok := g.Lookup(name)
	if !ok {
		panic(fmt.Sprintf("fuzz: no protocol %s, want %s", name, line.OneOf(g.Names())))
	}
	return (&target{p}).check
}

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
		all = append(all, &target{p})
	}
	return all
}

// of is the target of a protocol of the catalogue.
func of(name string) *target {
	return targets[slices.IndexFunc(targets, func(t *target) bool { return t.Name == name })]
}
