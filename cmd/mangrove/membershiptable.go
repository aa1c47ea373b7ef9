package main

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
)

const membershipTableHead = `BlueGene/L: L=4.6 us a hop, O_cp=2 us, o=0.1 us; rank P/2 fails. T_s in us

             single hop                    torus
 a    P  H    T_s   base other  path    T_s distance other ratio
`

const membershipTableFoot = `
H      levels of the tree
T_s    from the root's first step to the last acknowledgement
base, distance   what the models of the thesis predict
other  what models leave out: overheads, serialized sends, waiting for ports
path   levels on the path that took longest
torus  8x8x8, and 8x8x16 for 1,024 ranks
ratio  T_s / distance
`

// membershipTable prints figures 6.1 and 6.2 of the membership thesis as a table.
func (a *app) membershipTable(ctx context.Context, f paperFlags) error {
	if f.json {
		rows, err := scenarios.MembershipTable(ctx, func(scenarios.MembershipRow) {})
		if err != nil {
			return err
		}
		return printJSON(a.stdout, rows)
	}
	fmt.Fprint(a.stdout, membershipTableHead)
	us := func(t clock.Time) float64 { return float64(t) / 10 }
	_, err := scenarios.MembershipTable(ctx, func(r scenarios.MembershipRow) {
		one, torus := &r.Single, &r.Torus
		fmt.Fprintf(a.stdout, "%2d %4d %2d %6.1f %6.1f %5.1f %5d %6.1f %8.1f %5.1f %5.2f\n", r.Children, r.Ranks, one.Height,
			us(one.Measured), us(one.Base), us(one.Items.Unmodelled()), one.Items.Levels,
			us(torus.Measured), us(torus.Distance), us(torus.Items.Unmodelled()), float64(torus.Measured)/float64(torus.Distance))
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(a.stdout, membershipTableFoot)
	return err
}
