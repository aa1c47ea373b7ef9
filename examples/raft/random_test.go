//go:build !bug

package raft

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

// The library draws its election timeouts from crypto/rand. If they are not the rank's own random numbers, the same schedule is another run each time, and the test says so.
func TestWithoutItsOwnRandomNumbersNothingCanBeRepeated(t *testing.T) {
	_, err := emutest.Check(t.Context(), emutest.Test{
		Machine: machine(3),
		Disk:    disk,
		New: func() emutest.Instance {
			seen := make([]Seen, 3)
			return emutest.Instance{Guarantees: Promises(seen), Program: protocols.Program{Main: func(p protocols.Proc) {
				node := NewNode(p, &chain{&seen[p.Rank()], 0}, Config{Voters: all(3)})
				statemachine.Run(p, node, statemachine.Options{Every: Tick, Until: 500})
			}}}
		},
		Random: 10,
	})
	require.ErrorIs(t, err, emutest.ErrNotRepeatable)
}
