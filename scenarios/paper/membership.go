package paper

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// viewChange is a point of figures 6.1 and 6.2: how long it takes on BlueGene/L until all have the view
// without a rank that has failed.
type viewChange struct {
	children, ranks int
	line            string // on the torus
	// single is measured where everybody is one hop from everybody, as the base model assumes.
	single, torus catalog.Stabilization
}

// measureViewChanges measures 4 to 1,024 ranks with two and with four children. It is no campaign, since what
// models predict and leave out is in no report.
func measureViewChanges(ctx context.Context) ([]viewChange, error) {
	var all []viewChange
	for _, children := range []int{2, 4} {
		for doubled := range 9 {
			v, err := measureViewChange(ctx, children, 4<<doubled)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
	}
	return all, nil
}

// measureViewChange lets a rank in the middle fail, and the last one find that.
func measureViewChange(ctx context.Context, children, ranks int) (v viewChange, err error) {
	torus := "8x8x8" // a midplane
	if ranks == 1024 {
		torus = "8x8x16" // two of them
	}
	line := fmt.Sprintf("membership a=%d P=%d L=4.6us tick=100ns compute=2us inquire=none ask=%d:%d@t0 faults=crash:%d@t0",
		children, ranks, ranks-1, ranks/2, ranks/2)
	v = viewChange{children: children, ranks: ranks, line: line + " network=torus:" + torus}
	if v.single, err = catalog.MeasureStabilization(ctx, line); err == nil {
		v.torus, err = catalog.MeasureStabilization(ctx, v.line)
	}
	return v, err
}

// micros of a machine whose tick is 100 ns.
func micros(t clock.Time) float64 { return float64(t) / 10 }
