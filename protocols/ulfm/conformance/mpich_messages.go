package conformance

import "github.com/mangrove-emu/mangrove/protocols/ulfm"

// Messages between two ranks, one of which has failed, or neither.

const words = " No errors"

var mpichSendAlive = Case{
	Suite: MPICH, Name: "sendalive", Ranks: 4, Faults: "crash:1@step:die",
	Checks: "messages between others go on when a rank has failed",
	Run: func(r *Rank) {
		switch r.me {
		case 0:
			r.must(r.World, "Send", r.World.Send(2, 0, words), 2)
		case 1:
			r.die()
		case 2:
			got, err := r.World.Recv(0, 0)
			r.must(r.World, "Recv", err, 0)
			if err == nil {
				r.is("payload", got.Payload, words)
			}
		}
	},
}

var mpichIsendAlive = Case{
	Suite: MPICH, Name: "isendalive", Ranks: 3, Faults: "crash:1@step:die",
	Checks: "the same with requests",
	Run: func(r *Rank) {
		switch r.me {
		case 0:
			_, err := r.World.Isend(2, 0, words).Wait()
			r.must(r.World, "Isend, Wait", err, 2)
		case 1:
			r.die()
		case 2:
			got, err := r.World.Irecv(0, 0).Wait()
			r.must(r.World, "Irecv, Wait", err, 0)
			if err == nil {
				r.is("payload", got.Payload, words)
			}
		}
	},
}

var mpichMultiIsendAlive = Case{
	Suite: MPICH, Name: "multi_isendalive", Ranks: 4, Faults: "crash:1@step:die,crash:2@step:die,crash:3@step:die",
	Checks: "synchronous messages to one rank after the other, each of which then fails",
	Run: func(r *Rank) {
		switch r.me {
		case 0:
			for _, to := range []int{3, 2} {
				_, err := r.World.Issend(to, 0, words).Wait()
				r.must(r.World, "Issend, Wait", err, to)
			}
		case 1:
			r.die()
		default:
			got, err := r.World.Irecv(0, 0).Wait()
			r.must(r.World, "Irecv, Wait", err, 0)
			if err == nil {
				r.is("payload", got.Payload, words)
			}
			r.die()
		}
	},
}

var mpichSendDead = Case{
	Suite: MPICH, Name: "senddead", Ranks: 2, Faults: "crash:1@step:die",
	Checks: "a send to a rank that has failed does not wait: success or ErrProcFailed",
	Run: func(r *Rank) {
		if r.me == 1 {
			r.die()
		}
		for range 2 {
			r.any(r.World, "Send", r.World.Send(1, 0, words), ok|failed)
		}
	},
}

var mpichRecvDead = Case{
	Suite: MPICH, Name: "recvdead", Ranks: 2, Faults: "crash:1@step:die",
	Checks: "a receive from a rank that has failed: ErrProcFailed",
	Run: func(r *Rank) {
		if r.me == 1 {
			r.die()
		}
		_, err := r.World.Recv(1, 0)
		r.any(r.World, "Recv", err, failed)
	},
}

var mpichIsendDead = Case{
	Suite: MPICH, Name: "isenddead", Ranks: 2, Faults: "crash:1@step:die",
	Checks: "Isend to a rank that has failed does not fail, and Wait does not wait: success or ErrProcFailed",
	Run: func(r *Rank) {
		if r.me == 1 {
			r.die()
		}
		_, err := r.World.Isend(1, 0, words).Wait()
		r.any(r.World, "Wait", err, ok|failed)
	},
}

var mpichIrecvDead = Case{
	Suite: MPICH, Name: "irecvdead", Ranks: 2, Faults: "crash:1@step:die",
	Checks: "Irecv from a rank that has failed does not fail, Wait does with ErrProcFailed",
	Run: func(r *Rank) {
		if r.me == 1 {
			r.die()
		}
		_, err := r.World.Irecv(1, 0).Wait()
		r.any(r.World, "Wait", err, failed)
	},
}

var mpichAnySource = Case{
	Suite: MPICH, Name: "anysource", Ranks: 3, Faults: "crash:1@step:die",
	Checks: "a receive from any source: Recv fails with ErrProcFailed, Wait with ErrProcFailedPending; the same request is complete after FailureAck",
	Run: func(r *Rank) {
		world := r.World
		switch r.me {
		case 0:
			_, err := world.Recv(ulfm.AnySource, 0)
			r.any(world, "Recv", err, failed)
			request := world.Irecv(ulfm.AnySource, 0)
			_, err = request.Wait()
			r.any(world, "Wait", err, pending)
			r.must(world, "Send", world.Send(2, 0, ""), 2)
			world.FailureAck()
			got, err := request.Wait()
			r.must(world, "Wait again", err, 2)
			if err == nil {
				r.is("payload", got.Payload, words)
			}
		case 1:
			r.die()
		case 2:
			_, err := world.Recv(0, 0)
			r.must(world, "Recv", err, 0)
			r.must(world, "Send", world.Send(0, 0, words), 0)
		}
	},
}

var mpichFailureAck = Case{
	Suite: MPICH, Name: "failure_ack", Ranks: 3, Faults: "crash:1@step:die,crash:2@step:die",
	Checks: "GetAcked has what was acknowledged and nothing that became known since",
	Run: func(r *Rank) {
		world := r.World
		switch r.me {
		case 0:
			_, err := world.Recv(1, 0)
			r.any(world, "Recv from 1", err, failed)
			world.FailureAck()
			acked := world.GetAcked()
			r.note("GetAcked", onlyOwn(acked, 1))
			got, err := world.Recv(2, 0)
			r.must(world, "Recv from 2", err, 2)
			if err == nil {
				r.is("payload", got.Payload, words)
			}
			_, err = world.Recv(2, 0)
			r.any(world, "second Recv from 2", err, failed)
			r.is("GetAcked again", world.GetAcked(), acked)
		case 1:
			r.die()
		case 2:
			r.must(world, "Ssend", world.Ssend(0, 0, words), 0)
			r.die()
		}
	},
}
