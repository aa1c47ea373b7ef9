package paper

import "strings"

const agreementFoot = `openmpi Shrink: several agreements; with the others Shrink costs what Agree does, but for a tick
before the call, at the call: ranks that chance has chosen
roots: rank 0 fails at t=40, and every 8 ticks the next one, which then is the root
-: at least half of the runs never end, or survivors do not return the same`

// agreementFigure compares agreements, by the number of ranks and by that of failures.
func agreementFigure(all []measured) (*Result, error) {
	nobody := all[0].points
	scenes := []scene{nobodyFails(nobody)}
	for _, g := range grouped(all[1].points, point.failingAt) {
		if g.key == "t0" {
			scenes = append(scenes, someFail("before the call", "failures that all know of, 1,024 ranks", nobody, g.points))
		} else {
			scenes = append(scenes, someFail("at the call", "", nobody, g.points)) // roots show the same, and more
		}
	}
	scenes = append(scenes, someFail("roots", "the roots fail, 1,024 ranks", nobody, all[2].points))
	r, err := costs("What it costs to agree", "L=2 o=1, medians of "+runsText(all[1].Runs)+" if chance has a part", all, point.agreement, scenes)
	if err == nil {
		r.Foot = agreementFoot
	}
	return r, err
}

// failingAt is where in their programs ranks fail that chance has chosen.
func (p point) failingAt() string {
	_, at, _ := strings.Cut(p.settings.Text("faults"), "@")
	return at
}

// agreement is by which algorithm ranks agree, or shrink.
func (p point) agreement() string {
	if p.settings.Text("op") == "shrink" {
		return p.settings.Text("agreement") + " Shrink"
	}
	return p.settings.Text("agreement")
}
