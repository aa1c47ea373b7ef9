package conformance

import (
	"strconv"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Many messages, many failures, and none.

var stressIsendErr = Case{
	Suite: Stress, Name: "isend-err", Ranks: 6, Faults: "crash:3@step:die,crash:5@step:die",
	Checks: "Isend to ranks that are known to have failed does not fail, Waitall does with ErrProcFailed",
	Run: func(r *Rank) {
		world := r.World
		r.verbose(world)
		r.any(world, "Barrier", world.Barrier(), ok|failed)
		if r.me == 3 || r.me == 5 {
			r.die()
		}
		r.sleep(nap)
		r.any(world, "Barrier", world.Barrier(), failed)
		r.sleep(nap)
		if r.me == 0 {
			_, err := ulfm.Waitall(world.Isend(3, 0, words), world.Isend(5, 0, words))
			r.any(world, "Waitall", err, failed)
		}
		r.any(world, "Barrier in the end", world.Barrier(), failed)
	},
}

var stressKillNode = Case{
	Suite: Stress, Name: "kill_node", Ranks: 8, Faults: "crash:4@step:die,crash:5@step:die,crash:6@step:die,crash:7@step:die",
	Checks: "all ranks of a node fail at once; communicators of other nodes are not disturbed",
	Run: func(r *Rank) {
		r.verbose(r.World)
		node, err := r.World.Split(r.me/4, r.me)
		if !r.usable(r.World, "Split", err) {
			return
		}
		r.mustAll(node, "Barrier of the node", node.Barrier())
		if r.me >= 4 {
			r.die()
		}
		r.any(r.World, "Barrier", r.World.Barrier(), failed)
		r.mustAll(node, "Barrier of the node", node.Barrier())
		r.sleep(10 * nap)
		r.mustAll(node, "Barrier of the node later", node.Barrier())
	},
	Differs: withAgree + "; nodes are Split by their number",
}

var stressPingPairs = Case{
	Suite: Stress, Name: "pingpairs", Ranks: 10, Faults: "crash:1@step:die,crash:2@step:die,crash:9@step:die",
	Checks: "messages in pairs with Waitany, Waitsome and Waitall; only partners of failed ranks get errors; Shrink has all others",
	Run: func(r *Rank) {
		to, from, partner := r.me+1, ulfm.None, r.me+1
		if r.me%2 == 1 {
			to, from, partner = ulfm.None, r.me-1, r.me-1
		}
		for i := range 30 {
			if i == 10 && r.me%8 == 1 || i == 15 && r.me%8 == 2 {
				r.die()
			}
			err := r.ping(i, to, from)
			r.must(r.World, "ping", err, partner)
			if err != nil {
				break
			}
		}
		_, err := ulfm.Waitall(r.World.Isend(to, 0, "-1"), r.World.Irecv(from, 0))
		r.must(r.World, "Waitall in the end", err, partner)
		small, err := r.World.Shrink()
		r.mustAlways("Shrink", err)
		r.same("members", small.Members())
		r.isUnless("size", small.Size(), 7)
	},
	Differs: "30 instead of 10,000 rounds",
}

// ping sends and receives three times, and waits for both in three ways.
func (r *Rank) ping(i, to, from int) error {
	for way := range 3 {
		send, receive := r.World.Isend(to, 0, strconv.Itoa(i)), r.World.Irecv(from, 0)
		var err error
		switch way {
		case 0:
			if _, _, err = ulfm.Waitany(send, receive); err == nil {
				_, err = ulfm.Waitall(send, receive)
			}
		case 1:
			for left := 2; left > 0 && err == nil; {
				var done []int
				done, _, err = ulfm.Waitsome(send, receive)
				left -= len(done)
			}
		case 2:
			_, err = ulfm.Waitall(send, receive)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var stressSleep = Case{
	Suite: Stress, Name: "sleeptest", Ranks: 4, Faults: "none",
	Checks: "long computations between messages are not taken for failures",
	Run: func(r *Rank) {
		world := r.World
		right, left := (r.me+1)%4, (r.me+3)%4
		for range 12 {
			r.mustAll(world, "Barrier", world.Barrier())
			receive, send := world.Irecv(left, 0), world.Isend(right, 0, words)
			r.sleep(5 * nap)
			_, err := ulfm.Waitall(receive, send)
			r.must(world, "Waitall", err, left, right)
		}
	},
}
