package allreduce

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/reduce"
)

// AllReduce is a reduce and a broadcast of its result.
type AllReduce struct {
	reduce    *reduce.Reduce
	broadcast *broadcast.Broadcast
}

// New returns an all-reduce for the machine. Reduce and broadcast have the same root. Begin
// and Epoch of the broadcast are those of the whole. The broadcast itself begins when the
// root has the result; if its correction is synchronized, at the reduce's deadline, which
// all ranks know.
func New(machine clock.LogP, r reduce.Options, b broadcast.Options) (*AllReduce, error) {
	first, err := reduce.New(machine, r)
	if err != nil {
		return nil, err
	}
	if b.Tree != nil && b.Tree.Root() != r.Root {
		return nil, problems.New("allreduce", "the broadcast has root %d, want that of the reduce, %d", b.Tree.Root(), r.Root)
	}
	first.Begin, first.Epoch = b.Begin, b.Epoch
	if !b.Overlapped {
		b.Begin = first.Deadline()
	}
	second, err := broadcast.New(machine, b)
	if err != nil {
		return nil, err
	}
	return &AllReduce{first, second}, nil
}

// Marks in front of the result's payload.
const (
	whole   = "+"
	partial = "-"
)

// Run does this rank's part and returns the result. It is complete as that of a reduce is;
// if there is none, all ranks learn that.
func (a *AllReduce) Run(p protocols.Proc, own reduce.Value) (result reduce.Value, complete bool) {
	msg := announce(a.reduce.Run(p, own))
	msg, _ = a.broadcast.Run(p, msg)
	return reduce.Value{A: msg.A, Payload: msg.Payload[len(whole):]}, msg.Payload[:len(whole)] == whole
}

// announce makes a message of the result.
func announce(result reduce.Value, complete bool) mailbox.Message {
	mark := partial
	if complete {
		mark = whole
	}
	return mailbox.Message{A: result.A, Payload: mark + result.Payload}
}

// Program returns the all-reduce as a program of its own. Each rank contributes what own
// returns for it and calls done with what Run returns; ranks do so at the same time.
func (a *AllReduce) Program(own func(rank int) reduce.Value, done func(rank int, result reduce.Value, complete bool)) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			result, complete := a.Run(p, own(p.Rank()))
			done(p.Rank(), result, complete)
		},
		KindName: KindName,
	}
}

// KindName names the kinds of messages of both parts.
func KindName(k mailbox.Kind) string {
	if name := reduce.KindName(k); name != "" {
		return name
	}
	return broadcast.KindName(k)
}
