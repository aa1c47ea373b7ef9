package catalog

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
	service, err := newMembership(run.Settings())
	if err != nil {
		return Stabilization{}, err
	}
	machine, err := emu.New(run.Config())
	if err != nil {
		return Stabilization{}, err
	}
	schedule, err := run.Schedule()
	if err != nil {
		return Stabilization{}, err
	}
	if _, err := machine.Run(ctx, service.Program(), emu.Options{Faults: schedule, Seed: run.Settings().Seed()}); err != nil {
		return Stabilization{}, err
	}
	last, root := membershipDetails{service, run.Settings()}.lastStable()
	if root < 0 {
		return Stabilization{}, fmt.Errorf("scenarios: %s: no view change was completed", line)
	}
	return newStabilization(service, root, last, run.Settings()), nil
}
