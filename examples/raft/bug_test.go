//go:build bug

package raft

import (
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
)

// Each of the mistakes breaks a promise in the same test that holds without it.
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
			emutest.Run(t, usual(plan))
		})
	}
}
