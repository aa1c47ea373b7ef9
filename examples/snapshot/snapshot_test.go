package snapshot

import (
	"fmt"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
)

var machine = clock.LogP{Ranks: 3, Latency: 2, Overhead: 1}

// However late messages are and whoever fails, a snapshot that is complete has all the money there is. If nobody fails, it is complete.
func TestNoMoneyIsLostOrMade(t *testing.T) {
	emutest.Run(t, emutest.Test{Machine: machine, New: bank, Faults: 1, Random: 2000})
}

// bank makes an instance, whose ranks leave what they have recorded.
func bank() emutest.Instance {
	parts := make([]Recorded, machine.Ranks)
	return emutest.Instance{
		Program: Bank(parts),
		Prepare: func() { clear(parts) },
		Guarantees: []guarantee.Guarantee{
			guarantee.VerdictFunc("the snapshot has all the money", false, func(guarantee.Run) guarantee.Verdict { return balanced(parts) }),
			guarantee.When(guarantee.NobodyFails, guarantee.Func("the snapshot is complete", false, func(guarantee.Run) (bool, string) {
				return complete(parts), fmt.Sprint(parts)
			})),
		},
	}
}

// balanced adds up a snapshot, if it is complete.
func balanced(parts []Recorded) guarantee.Verdict {
	if !complete(parts) {
		return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "the snapshot is not complete"}
	}
	sum, total := int64(0), int64(len(parts)*deposit)
	for _, part := range parts {
		sum += part.State
		for _, amount := range part.Channels {
			sum += amount
		}
	}
	return guarantee.Verdict{Value: guarantee.ValueOf(sum == total), Evidence: fmt.Sprintf("%d of %d: %+v", sum, total, parts)}
}

func complete(parts []Recorded) bool {
	for _, part := range parts {
		if !part.Complete {
			return false
		}
	}
	return true
}
