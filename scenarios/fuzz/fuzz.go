package fuzz

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Protocol returns a target for a protocol of a registry. Its guarantees are the judge: a run that breaks
// one is an error, and so is one that panics, does not end or differs with two workers. Of the protocols
// of the catalogue more is known, see [Any].
func Protocol(g scenarios.Registry, name string) func(data []byte) error {
	p, ok := g.Lookup(name)
	if !ok {
		panic(fmt.Sprintf("fuzz: no protocol %s, want %s", name, line.OneOf(g.Names())))
	}
	return (&target{p, guaranteed}).check
}

// Any lets the first byte choose a protocol of the catalogue, for fuzzers with a single entry. What is known
// of its promises is the judge.
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
