//go:build bug

package raft

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
)

// Each of the mistakes breaks a promise, with the usual kinds of faults and numbers.
func TestMistakes(t *testing.T) {
	for _, bug := range []struct {
		name string
		bugs bugs
	}{
		{"forgets its vote", bugs{forgetsVote: true}},
		{"never syncs", bugs{neverSyncs: true}},
		{"applies one more", bugs{appliesOneMore: true}},
	} {
		t.Run(bug.name, func(t *testing.T) {
			plan := plan(3)
			plan.bugs = bug.bugs
			emutest.Run(t, emutest.Test{
				Machine:      machine(3),
				Disk:         disk,
				New:          instances(3, plan),
				RandomFaults: 3,
				Random:       3000,
				Rejoins:      []clock.Time{20, 200},
			})
		})
	}
}
