package catalog

import (
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/buntinas"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// noticed says whether a failure detector notices ranks that hang.
var noticed = line.Choices[bool]{{"crashes", false}, {"hangs", true}}

var bfbProtocol = scenarios.Protocol{
	Name:    "bfb",
	Summary: "a tree with acknowledgements and a failure detector, begun again after failures",
	Keys: []line.Key{
		line.AutoTimeKey("detect", 1, uint64(clock.MaxCost), "ticks until a failure is known, 2o+L or more; auto: 2o+L").Trying(delaysTried),
		noticed.Key("notices", "what the failure detector notices; hangs: these, too"),
		rootKey,
	},
	Steps: []string{buntinas.StepColoured, buntinas.StepRestart, buntinas.StepComplete, buntinas.StepAbandon, buntinas.StepLate},
	Fuzz:  scenarios.Fuzz{Common: []string{"receive"}},
	Build: buildBfb,
}

// delaysTried are from the shortest one, as fast as a message, to long ones.
func delaysTried(s line.Settings) []string {
	all := []string{"auto"}
	for _, more := range []int{1, 2, 5, 20, 100} {
		all = append(all, strconv.Itoa(2*s.Int("o")+s.Int("L")+more))
	}
	return all
}

func buildBfb(s line.Settings) (scenarios.Experiment, error) {
	machine, root := s.LogP(), s.Int("root")
	detector, err := detection(s, detectorKind{hangs: noticed.Of(s, "notices"), delays: 1})
	if err != nil {
		return scenarios.Experiment{}, err
	}
	b, err := buntinas.New(machine, buntinas.Options{Root: root, DetectorDelay: detector.Delay})
	if err != nil {
		return scenarios.Experiment{}, err
	}
	completed := completion{At: clock.Never}
	done := func(rank int, result buntinas.Result) {
		if rank == root {
			completed = completion{result.Complete, result.Attempts}
		}
	}
	e := spreading(b.Program(mailbox.Message{}, done), root, withinLatency("ranks leave when nobody can need them any more"), bfbPromises(detector, root, &completed))
	e.Detection = detector
	e.State = scenarios.OfRoot(machine.Ranks, root, &completed, (*completion).check)
	e.Measures.Details = func(rep *report.Report) []scenarios.Detail {
		return []scenarios.Detail{
			{Name: "complete", Text: completed.text(rep.ResultOf(root), s.Unit())},
			{Name: "exit is late", Text: "others stay for another attempt that may need them"},
		}
	}
	return e, nil
}

// completion is when the root knew that all live ranks have the message.
type completion struct {
	At       clock.Time
	Attempts int
}

// check refuses what no root can have noted.
func (c *completion) check() error {
	if c.At < 0 || c.Attempts < 0 {
		return fmt.Errorf("complete at t=%d after %d attempts, want 0 or more of both", c.At, c.Attempts)
	}
	return nil
}

func (c completion) text(root report.RankResult, unit line.Unit) string {
	switch {
	case c.At == clock.Never && root.Outcome.Failed():
		return "never: the root has failed"
	case c.At == clock.Never:
		return "never: the root waits for a rank that the failure detector does not notice"
	}
	return fmt.Sprintf("%s, the root knows, after %s", unit.Show(c.At), text.Count(c.Attempts, "attempt"))
}
