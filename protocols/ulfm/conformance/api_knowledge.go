package conformance

import (
	"github.com/mangrove-emu/mangrove/clock"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Who knows of which failures.

var apiErrAny = Case{
	Suite: API, Name: "err_any", Ranks: 4, Faults: "crash:3@step:die",
	Checks: "a master receives from any source while workers fail: acknowledges, waits again for the same request, and gives it up in the end",
	Run: func(r *Rank) {
		world := r.World
		const tag = 1
		if r.me > 0 {
			if r.me == 3 {
				r.die()
			}
			for range 4 - r.me {
				r.must(world, "Send", world.Send(0, tag, "more"), 0)
			}
			r.must(world, "last Send", world.Send(0, tag, "done"), 0)
			return
		}
		settled := make(map[int]bool) // done or failed
		for len(settled) < 3 {
			request := world.Irecv(ulfm.AnySource, tag)
			for over := false; !over; {
				got, err := request.Wait()
				r.any(world, "Wait", err, ok|pending)
				if err == nil {
					if got.Payload == "done" {
						settled[got.From] = true
					}
					break
				}
				world.FailureAck()
				for _, member := range world.GetAcked() {
					settled[member] = true
				}
				if over = len(settled) == 3; over {
					request.Cancel()
				}
			}
		}
	},
	Differs: "who fails is in the schedule, not drawn; a worker that fails after its last message is counted once (the original counts it twice and may never end)",
}

var apiGetAck = Case{
	Suite: API, Name: "getack", Ranks: 4, Faults: "crash:2@step:die,crash:3@step:die",
	Checks: "GetFailed and AckFailed without failures; after a failure that a Sendrecv has met GetAcked has it; after another one a Barrier fails",
	Run: func(r *Rank) {
		world := r.World
		r.note("GetFailed", onlyOwn(world.GetFailed()))
		r.isUnless("AckFailed of 4", world.AckFailed(4), 0)
		r.isUnless("AckFailed of none", world.AckFailed(0), 0)
		dup, err := world.Dup()
		if !r.usable(world, "Dup", err) {
			return
		}
		if r.me == 3 {
			r.die()
		}
		_, err = dup.Sendrecv((r.me+1)%4, 0, words, (r.me+3)%4, 0)
		r.any(dup, "Sendrecv", err, ok|failed)
		if r.me == 0 {
			r.any(dup, "Sendrecv from 3", err, failed)
		}
		dup.FailureAck()
		if acked := dup.GetAcked(); err != nil {
			r.note("GetAcked", func(h *history, at clock.Time) string {
				if h.more(at) && len(acked) > 0 {
					return ""
				}
				return differs(acked, []int{3})
			})
		}
		r.sleep(3 * nap)
		if r.me == 2 {
			r.die()
		}
		r.any(dup, "Barrier", dup.Barrier(), failed)
		dup.FailureAck()
		r.is("somebody is acknowledged", len(dup.GetAcked()) > 0, true)
	},
	Differs: withAgree,
}
