package command

import (
	"context"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/fidelity"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// realMachine is what is calibrated.
type realMachine struct {
	name    string             // for readers
	start   []string           // the command that has started it, and calibrates it
	source  calibration.Source // of intervals
	largest int                // how many ranks a line may have that is compared; 0: any number
	run     fidelity.Machine   // of a line, on as many processes as it has ranks
}

// launched is a machine whose processes are started for each line.
func (f *calibrateFlags) launched(name commandName) realMachine {
	options := f.Options
	options.Pace, options.Eager = tcp.Free, true
	title := "processes over TCP"
	if f.Encrypt {
		title += ", encrypted"
	}
	return realMachine{
		name: title, start: f.again(name, "calibrate").command, source: calibration.NewProcesses,
		run: func(ctx context.Context, run *scenarios.Run) (*scenarios.Outcome, error) {
			options.Processes = run.Config().Ranks
			return launch.Launch(ctx, run, options)
		},
	}
}

// canRun tells lines that the machine can run from those that it is too small for: two ranks of one process would not need it to talk.
func (m realMachine) canRun(all []fidelity.Line) (lines, tooLarge []fidelity.Line) {
	for _, line := range all {
		if m.largest == 0 || line.Ranks <= m.largest {
			lines = append(lines, line)
		} else {
			tooLarge = append(tooLarge, line)
		}
	}
	return lines, tooLarge
}
