package scenarios

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/emu"
)

// MeasureStabilization runs a line of the membership service and looks at the last view change that
// was completed.
func MeasureStabilization(ctx context.Context, line string) (Stabilization, error) {
	run, err := ParseLine(line)
	if err != nil {
		return Stabilization{}, err
	}
	service, err := newMembership(run.settings)
	if err != nil {
		return Stabilization{}, err
	}
	machine, err := emu.New(emu.Config{LogP: run.experiment.Machine, Network: run.experiment.Network})
	if err != nil {
		return Stabilization{}, err
	}
	schedule, err := run.Schedule()
	if err != nil {
		return Stabilization{}, err
	}
	if _, err := machine.Run(ctx, service.Program(), emu.Options{Faults: schedule, Seed: run.settings.Seed()}); err != nil {
		return Stabilization{}, err
	}
	last, root := membershipFigures{service, run.settings}.lastStable()
	if root < 0 {
		return Stabilization{}, fmt.Errorf("scenarios: %s: no view change was completed", line)
	}
	return NewStabilization(service, root, last, run.settings), nil
}
