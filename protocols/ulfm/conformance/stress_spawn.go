package conformance

import "github.com/mangrove-emu/mangrove/protocols/ulfm"

// Starting ranks while others fail. Ranks that are there to be started are down at first.

var stressConnectAccept = Case{
	Suite: Stress, Name: "connect_accept", Ranks: 9,
	Faults: "crash:6@t0,crash:7@t0,crash:8@t0,rejoin:6@t20,rejoin:7@t30,rejoin:8@t40,crash:5@step:die,crash:3@step:die",
	Checks: "ranks are started and let go; when others have failed since, nothing is aborted",
	Run: func(r *Rank) {
		if r.anew() {
			r.World.Parent().Free()
			return
		}
		app, err := r.World.Shrink() // those who are there
		r.mustAlways("Shrink", err)
		r.verbose(app)
		r.mustAll(app, "Barrier", app.Barrier())
		inter, err := app.Spawn([]int{6, 7, 8})
		r.mustAll(app, "Spawn", err)
		if err == nil {
			inter.Free()
		}
		r.any(app, "Barrier", app.Barrier(), ok|failed)
		if r.me == 3 || r.me == 5 {
			r.die()
		}
		r.any(app, "Barrier", app.Barrier(), failed)
		r.sleep(nap)
		r.any(app, "Barrier again", app.Barrier(), failed)
	},
	Explored: Exploration{Only: []int{0, 1, 2, 3, 4, 5}, Why: "those who wait until they are all there do so for ever if one that is to be started is not"},
	Differs:  "one generation: in the original those who were started start others without end; " + startedByUs,
}

var stressSpawn = Case{
	Suite: Stress, Name: "spawn", Ranks: 6,
	Faults: "crash:4@t0,crash:5@t0,rejoin:4@t20,rejoin:5@t30,crash:3@step:die",
	Checks: "Spawn without a failure, with a new one, with an old one, and after Shrink: nobody waits for ever, and after Shrink it succeeds",
	Run: func(r *Rank) {
		if r.anew() {
			for {
				inter := r.World.Parent()
				_ = inter.Barrier()
				inter.Free()
			}
		}
		app, err := r.World.Shrink()
		r.mustAlways("Shrink", err)
		r.verbose(app)
		r.mustAll(app, "Barrier", app.Barrier())
		r.mustAll(app, "Spawn", r.spawnOnce(app))
		r.any(app, "Barrier", app.Barrier(), ok|failed)
		if r.me == 3 {
			r.die()
		}
		for range 2 { // a new failure, an old one
			r.any(app, "Spawn with a failed member", r.spawnOnce(app), ok|failed)
			_, err := app.Agree(1)
			r.any(app, "Agree", err, ok|failed)
			r.sleep(nap)
		}
		small, err := app.Shrink()
		r.mustAlways("Shrink", err)
		r.mustAll(small, "Spawn after Shrink", r.spawnOnce(small))
		_, err = app.Agree(1)
		r.any(app, "Agree", err, ok|failed)
	},
	Explored: Exploration{Only: []int{0, 1, 2, 3}, Why: "those who wait until they are all there do so for ever if one that is to be started is not"},
	Differs:  "the four variants one after the other; those who were started wait for the next one; " + startedByUs,
}

// spawnOnce starts two ranks, meets them and lets them go.
func (r *Rank) spawnOnce(c *ulfm.Comm) error {
	inter, err := c.Spawn([]int{4, 5})
	if err != nil {
		return err
	}
	err = inter.Barrier()
	inter.Free()
	return err
}
