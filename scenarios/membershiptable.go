package scenarios

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/emu"
)

// MembershipRow is a point of figures 6.1 and 6.2 of Varma's thesis: how long it takes on
// BlueGene/L until all have the view without a rank that has failed.
type MembershipRow struct {
	Children int    `json:"children"`
	Ranks    int    `json:"ranks"`
	Line     string `json:"line"` // on the torus

	// Single is measured where everybody is one hop from everybody, as the base model assumes.
	Single Stabilization `json:"single_hop"`
	Torus  Stabilization `json:"torus"`
}

// MembershipTable measures T_s for 4 to 1,024 ranks with two and with four children, and calls
// done after each row. Chance has no part in it.
func MembershipTable(ctx context.Context, done func(MembershipRow)) ([]MembershipRow, error) {
	var rows []MembershipRow
	for _, children := range []int{2, 4} {
		for ranks := 4; ranks <= 1024; ranks *= 2 {
			row, err := measureRow(ctx, children, ranks)
			if err != nil {
				return rows, err
			}
			rows = append(rows, row)
			done(row)
		}
	}
	return rows, nil
}

// measureRow lets a rank in the middle fail, and the last one find that.
func measureRow(ctx context.Context, children, ranks int) (row MembershipRow, err error) {
	torus := "8x8x8" // a midplane
	if ranks > 512 {
		torus = "8x8x16" // two of them
	}
	line := fmt.Sprintf("membership a=%d P=%d L=4.6us tick=100ns compute=2us inquire=none ask=%d:%d@t0 faults=crash:%d@t0",
		children, ranks, ranks-1, ranks/2, ranks/2)
	row = MembershipRow{Children: children, Ranks: ranks, Line: line + " network=torus:" + torus}
	if row.Single, err = measureStabilization(ctx, line); err == nil {
		row.Torus, err = measureStabilization(ctx, row.Line)
	}
	return row, err
}

// measureStabilization runs a line and looks at the last view change that was completed.
func measureStabilization(ctx context.Context, line string) (Stabilization, error) {
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
