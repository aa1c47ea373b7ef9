package decide

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

func TestAllRanksDecideTheSame(t *testing.T) {
	emutest.Run(t, emutest.Test{
		Machine: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1},
		New: func() emutest.Instance {
			decisions := make([]string, 4)
			return emutest.Instance{
				Program: Round(decisions),
				Prepare: func() { clear(decisions) },
				Check: func(rep *report.Report) error {
					commit, abort := slices.Contains(decisions, Commit), slices.Contains(decisions, Abort)
					if commit && abort || abort && rep.Calm() {
						return fmt.Errorf("decisions %q", decisions)
					}
					return nil
				},
			}
		},
		Guarantees: []guarantee.Guarantee{guarantee.Termination{}},
		Faults:     2,
		Random:     1000,
		Exact:      true,
	})
}
