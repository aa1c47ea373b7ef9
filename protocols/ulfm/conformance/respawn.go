package conformance

import (
	"strconv"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Going on at full strength: ranks that have failed are started anew and take their places.

// replace returns a communicator as large as this one was, with ranks that were started anew in the places of those
// that have failed, or the same if nobody has. All members that live call it. If keep is set all keep their ranks; else those
// who were started come last.
//
// Every step may succeed on some ranks only, so all agree after each, and begin again if one has failed.
func (r *Rank) replace(c *ulfm.Comm, keep bool) *ulfm.Comm {
	for {
		living, err := c.Shrink()
		r.mustAlways("Shrink", err)
		gone := living.Left()
		if len(gone) == 0 {
			living.Free()
			return c
		}
		inter, err := living.Spawn(gone)
		if !r.agreed(living, err == nil) {
			if err == nil {
				inter.Revoke()
				inter.Free()
			}
			living.Free()
			continue
		}
		if living.Rank() == 0 {
			for i, machineRank := range gone {
				place, _ := c.Member(machineRank)
				_ = inter.Send(i, 1, strconv.Itoa(place)) // that one has failed again, all will notice
			}
		}
		merged, err := inter.Merge(keep)
		well := r.agreed(living, err == nil)
		well = agreeBoth(inter, well)
		living.Free()
		if bigger := r.inOrder(merged, well, keep, c.Rank()); bigger != nil {
			return bigger
		}
	}
}

// begin is what a rank that was started anew does to get the communicator that the others make with it.
func (r *Rank) begin(keep bool) *ulfm.Comm {
	for {
		inter := r.World.Parent()
		got, err := inter.Recv(0, 1)
		place, _ := strconv.Atoi(got.Payload)
		var merged *ulfm.Comm
		if err == nil {
			merged, err = inter.Merge(true)
		}
		well := agreeBoth(inter, err == nil)
		if bigger := r.inOrder(merged, well, keep, place); bigger != nil {
			return bigger
		}
	}
}

// agreeBoth has two groups agree that all is well. Each hears first from the other whether it is well there, and then what
// the other has heard: ranks that were started have no other way to hear of each other.
func agreeBoth(inter *ulfm.Intercomm, well bool) bool {
	theirs, _ := inter.Agree(int32(truth(well)))
	well = well && theirs == 1
	theirs, _ = inter.Agree(int32(truth(well)))
	inter.Free()
	return well && theirs == 1
}

// inOrder gives each its place. It returns nil if all have to begin again.
func (r *Rank) inOrder(merged *ulfm.Comm, well, keep bool, place int) *ulfm.Comm {
	if !well {
		return free(merged)
	}
	if !keep {
		return merged
	}
	bigger, err := merged.Split(0, place)
	well = r.agreed(merged, err == nil)
	merged.Free()
	if !well {
		return free(bigger)
	}
	return bigger
}

// anew reports whether this rank was started anew.
func (r *Rank) anew() bool { return r.World.Proc().Life() > 0 }

var tutorialRespawn = Case{
	Suite: Tutorial, Name: "10.respawn", Ranks: 6, Faults: "crash:3@step:die,rejoin:3@t200",
	Checks:   "a rank is started in place of a failed one and merged with the others; Bcast on all of them succeeds",
	Run:      func(r *Rank) { r.respawn(false) },
	Explored: Exploration{Rejoins: true},
	Differs:  withAgree + startedByUs + bothAgree,
}

var tutorialRespawnReorder = Case{
	Suite: Tutorial, Name: "11.respawn_reorder", Ranks: 6, Faults: "crash:3@step:die,rejoin:3@t200",
	Checks:   "the same, and all keep their ranks",
	Run:      func(r *Rank) { r.respawn(true) },
	Explored: Exploration{Rejoins: true},
	Differs:  withAgree + startedByUs + bothAgree,
}

func (r *Rank) respawn(keep bool) {
	var whole *ulfm.Comm
	if r.anew() {
		whole = r.begin(keep)
	} else {
		c := r.World
		dup, err := r.World.Dup()
		if r.usable(r.World, "Dup", err) {
			c = dup
		}
		if r.me == 3 {
			r.die()
		}
		_, err = r.bcast(c, 0, 17)
		r.any(c, "Bcast", err, ok|failed)
		whole = r.replace(c, keep)
	}
	r.is("size", whole.Size(), 6)
	if keep {
		r.is("rank", whole.Rank(), r.me)
	}
	r.same("members", whole.Members())
	got, err := r.bcast(whole, 0, 18)
	if r.well(whole, "Bcast on all", err) {
		r.is("value", got, []int64{18})
	}
	_, err = r.reduce(whole, 0, 1, ulfm.Sum)
	r.mustAll(whole, "Reduce on all", err)
}

var apiRevShrinkKillRecover = Case{
	Suite: API, Name: "revshrinkkillrecover", Ranks: 4, Faults: "crash:1@step:die,rejoin:1@t400,crash:3@step:die,rejoin:3@t1500",
	Checks: "Barriers while one rank after the other fails: Revoke, Shrink, and as many as have failed are started and merged",
	Run: func(r *Rank) {
		all, round := r.World, int64(0)
		if r.anew() {
			all = r.begin(false)
			all, round = r.together(all, round)
		}
		for {
			if !r.anew() && (r.me == 1 && round == 3 || r.me == 3 && round == 6) {
				r.die()
			}
			err := all.Barrier()
			r.any(all, "Barrier", err, ok|failed|revoked)
			if err == nil {
				if round++; round < 10 {
					continue
				}
			} else {
				all.Revoke()
			}
			whole := r.replace(all, false)
			if whole == all {
				break
			}
			all, round = r.together(whole, round)
		}
		r.is("size", all.Size(), 4)
		r.same("members", all.Members())
	},
	Explored: Exploration{Rejoins: true},
	Differs:  "ten rounds instead of endless ones, and who fails when is in the schedule; " + startedByUs + bothAgree + "; the original goes on with the intercommunicator of an attempt that has failed",
}

// together has all go on from the last round that one of them has come to, on a communicator that may have to be replaced
// for that.
func (r *Rank) together(all *ulfm.Comm, round int64) (*ulfm.Comm, int64) {
	for {
		last, err := r.allreduce(all, round, ulfm.Max)
		r.any(all, "Allreduce", err, ok|failed|revoked)
		if err == nil {
			return all, last
		}
		all.Revoke()
		all = r.replace(all, false)
	}
}
