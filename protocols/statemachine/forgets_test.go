package statemachine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
	"github.com/mangrove-emu/mangrove/report"
)

// counting has two ranks count for a while, some of which fail and come back. Nobody may know of more than a rank itself has counted.
func counting(change func(protocols.Proc) statemachine.Machine) emutest.Test {
	return emutest.Test{
		Machine: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1},
		Disk:    clock.Disk{Write: 1, Sync: 3},
		New: func() emutest.Instance {
			machines := make([]statemachine.Machine, 2)
			return emutest.Instance{
				Program: protocols.Program{Main: func(p protocols.Proc) {
					machines[p.Rank()] = change(p)
					statemachine.Run(p, machines[p.Rank()], statemachine.Options{Every: 15, Until: 40})
				}},
				Prepare: func() { clear(machines) },
				Check:   func(*report.Report) error { return forgotten(machines) },
			}
		},
		Faults:  2,
		Random:  300,
		Rejoins: []clock.Time{5},
		Exact:   true,
	}
}

// forgotten says which rank has told others of more than it knows itself.
func forgotten(machines []statemachine.Machine) error {
	for rank, own := range machines {
		for _, other := range machines {
			if known, counted := countsOf(other)[rank], countsOf(own)[rank]; known > counted {
				return fmt.Errorf("rank %d has counted to %d and knows of %d", rank, known, counted)
			}
		}
	}
	return nil
}

func countsOf(m statemachine.Machine) []int {
	switch m := m.(type) {
	case *tally:
		return m.counts
	case hasty:
		return m.counts
	}
	return make([]int, 2) // not begun
}

func TestWhatWasToldIsRemembered(t *testing.T) {
	emutest.Run(t, counting(func(p protocols.Proc) statemachine.Machine { return newTally(p) }))
}

// hasty does not wait until what it tells is safe.
type hasty struct{ *tally }

func (h hasty) Ready() (statemachine.Ready, bool) {
	ready, some := h.tally.Ready()
	ready.Sync, ready.Forget = false, nil
	return ready, some
}

func TestWhoDoesNotSyncForgets(t *testing.T) {
	result, err := emutest.Check(t.Context(), counting(func(p protocols.Proc) statemachine.Machine { return hasty{newTally(p)} }))
	require.NoError(t, err)
	require.Len(t, result.Violations, 1)
	require.Len(t, result.Violations[0].Schedule, 2, "a crash and a rejoin")
	require.Contains(t, result.Violations[0].Broken[0].Evidence, "has counted to")
}
