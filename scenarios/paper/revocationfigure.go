package paper

import "slices"

const revocationFoot = `told nobody: ranks that chance has chosen have heard of it and fail before they tell anybody
-: everybody tells everybody, which is too many messages to wait for`

// revocationFigure compares revocations, by the number of ranks and by that of failures.
func revocationFigure(all []measured) (*Result, error) {
	nobody := slices.Concat(all[0].points, all[1].points)
	r, err := costs("What it costs to revoke", "L=2 o=1, rank 0 revokes; medians of "+runsText(all[2].Runs)+" if chance has a part", all, point.revocation, []scene{
		nobodyFails(nobody), someFail("told nobody", "ranks fail that have heard of it, 1,024 ranks", nobody, all[2].points),
	})
	if err == nil {
		r.Foot = revocationFoot
	}
	return r, err
}

// revocation is by which algorithm ranks hand it on.
func (p point) revocation() string { return p.settings.Text("revoke") }
