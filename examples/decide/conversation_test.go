package decide

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

func TestQuestionsComeFirst(t *testing.T) {
	emutest.Run(t, emutest.Test{
		Machine: clock.LogP{Ranks: 3, Latency: 2, Overhead: 1},
		New: func() emutest.Instance {
			var read []string
			return emutest.Instance{
				Program: Conversation(&read),
				Prepare: func() { read = nil },
				Check: func(*report.Report) error {
					if slices.Index(read, "answer") == 0 {
						return fmt.Errorf("read %q", read)
					}
					return nil
				},
			}
		},
		Faults: 1,
		Random: 1000,
	})
}
