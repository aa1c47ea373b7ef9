package scenarios

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
)

// noticed says whether a failure detector notices ranks that hang.
var noticed = Choices[bool]{{"crashes", false}, {"hangs", true}}

var bfbProtocol = Protocol{
	Name:    "bfb",
	Summary: "a tree with acknowledgements and a failure detector, begun again after failures",
	Keys: []Key{
		autoKey("detect", 1, uint64(clock.MaxCost), "ticks until a failure is known, 2o+L or more; auto: 2o+L"),
		noticed.Key("notices", "what the failure detector notices; hangs: these, too"),
		rootKey,
	},
	Build: buildBfb,
}

func buildBfb(s Settings) (Experiment, error) {
	root, err := rootOf(s)
	if err != nil {
		return Experiment{}, err
	}
	machine := s.LogP()
	detector := emu.Detector{Delay: autoNumber(s, "detect", machine.Delivery()), Hangs: noticed.Of(s, "notices")}
	if err := (emu.Config{LogP: machine, Detector: detector}).Validate(); err != nil {
		return Experiment{}, err
	}
	var completed struct {
		at       clock.Time
		attempts int
	}
	b, err := buntinas.New(machine, buntinas.Options{
		Root: root, DetectorDelay: detector.Delay,
		Watch: buntinas.Watch{Complete: func(at clock.Time, attempts int) { completed.at, completed.attempts = at, attempts }},
	})
	if err != nil {
		return Experiment{}, err
	}
	return Experiment{
		Machine:  machine,
		Detector: detector,
		Program:  b.Program(mailbox.Message{}),
		Roots:    []int{root},
		Checks:   spreading,
		Prepare:  func() { completed.at, completed.attempts = clock.Never, 0 },
		Figures: func(*emu.Report) []Figure {
			if completed.at == clock.Never {
				return []Figure{{"complete", "never: the root has failed"}}
			}
			return []Figure{{"complete", fmt.Sprintf("t=%d, the root knows, after %d attempts", completed.at, completed.attempts)}}
		},
	}, nil
}
