package catalog

import (
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// standing is what a correction stands: under which premises a broadcast with it reaches every live rank.
//
// A broadcast is to reach everybody, whatever its correction. Only one that is told how many failures to
// stand claims nothing beyond these; of the others a search shows how much they stand.
//
// Slow ranks and late messages do no harm: trees wait for them, and most corrections stop only when they have
// heard from somebody, or have gone all the way; timeouts that are too short cost messages. Nor do messages that arrive twice.
type standing func(s line.Settings, unheard []string) (needs, stands premises)

// standsNothing is that of plain trees and acknowledgements.
func standsNothing(line.Settings, []string) (needs, stands premises) {
	return nil, premises{guarantee.NobodyFails}
}

// standsByChance is that of opportunistic corrections. They close small gaps, but which failures make small gaps
// only is a question of the tree. At a fixed instant they may come to a rank before the tree does, if a rank is slow or a message
// late, and such a rank does not send down the tree any more.
func standsByChance(s line.Settings, _ []string) (needs, stands premises) {
	if !starts.Of(s, "start") {
		return nil, premises{guarantee.NobodyFails, guarantee.NobodySlow, guarantee.InTime}
	}
	return nil, premises{guarantee.NobodyFails}
}

// standsFailuresBefore is that of corrections that find out who is there: any number of ranks may have failed
// beforehand, but none meanwhile.
func standsFailuresBefore(_ line.Settings, unheard []string) (needs, stands premises) {
	return nil, premises{guarantee.RootsLive, failOnceHeard(0, unheard...)}
}

// standsSoMany is that of failure-proof correction: f more at any time. If the root is among them, all live ranks are
// reached or none.
func standsSoMany(s line.Settings, unheard []string) (needs, stands premises) {
	return premises{failOnceHeard(s.Int("f"), unheard...)}, nil
}
