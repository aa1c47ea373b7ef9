package reduce

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Reduce combines one value of every rank at the root. All ranks share one Reduce. To do it
// again, change Begin and Epoch of a copy; a run must not see them change.
type Reduce struct {
	// Begin is the instant at which the operation begins on all ranks. A rank that is not
	// ready by then is slow, and may count as failed.
	Begin clock.Time
	// Epoch tells this operation's messages from those of others. It must be higher than
	// that of all earlier ones.
	Epoch uint32

	layout
	wait       deadlines
	operation  Operation
	redundancy int
	bytes      int          // the longest payload that the deadlines allow for
	trees      [2]tree.Tree // over the full groups, and over these and a short one
}

// New returns a reduce for the machine. Its deadlines follow from the machine's parameters.
func New(machine clock.LogP, options Options) (*Reduce, error) {
	if err := options.validate(machine); err != nil {
		return nil, err
	}
	r := &Reduce{
		layout:     newLayout(machine.Ranks, options.Root, options.Redundancy),
		operation:  options.Operation,
		redundancy: options.Redundancy,
		bytes:      options.payloadLimit(machine),
	}
	if r.width == 0 {
		return r, nil // the root is alone and waits for nobody
	}
	s, err := r.grow(options.Tree)
	if err != nil {
		return nil, problems.New("reduce", "%w", err)
	}
	r.wait, err = newDeadlines(machine, &r.layout, s, r.bytes)
	if err != nil {
		return nil, problems.New("reduce", "%w", err)
	}
	return r, nil
}

// grow makes the trees and returns a shape that covers them.
func (r *Reduce) grow(newTree func(size int) (tree.Tree, error)) (covers shape, err error) {
	if newTree == nil {
		newTree = binomial
	}
	for i := range r.trees {
		if i > 0 && r.rest == 0 {
			break // there is no short group
		}
		groups := r.groups + i
		if r.trees[i], err = newTree(groups); err != nil {
			return covers, err
		}
		s, err := measure(r.trees[i], groups)
		if err != nil {
			return covers, err
		}
		covers = covers.max(s)
	}
	return covers, nil
}

// Deadline is the instant at which the operation is over on all ranks, whoever has failed.
func (r *Reduce) Deadline() clock.Time { return r.Begin + r.wait.last }

// Program returns the reduce as a program of its own. Each rank contributes what own returns
// for it; the root calls done with what Run returns.
func (r *Reduce) Program(own func(rank int) Value, done func(result Value, complete bool)) protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			if p.Rank() == r.root {
				done(r.Run(p, own(r.root)))
				return
			}
			r.Run(p, own(p.Rank()))
		},
		KindName: KindName,
	}
}

// Run does this rank's part. The root gets the result, or no value and false if there is
// none by the deadline. Other ranks always get no value and false.
//
// A rank that waits in here has used nearly all of the 2 KiB of stack it started with.
// Callers should not have more than some 200 bytes on it, lest the stack doubles.
func (r *Reduce) Run(p protocols.Proc, own Value) (result Value, complete bool) {
	p.WaitUntil(r.Begin)
	if p.Rank() == r.root {
		return r.lead(p, own)
	}
	m := r.join(p, own)
	m.offer()
	m.gather(m.mates, contributions, m.Begin+m.wait.exchange)
	m.p.Step(StepExchanged)
	whole := m.gather(m.below, reports, m.patience())
	m.p.Step(StepReduced)
	m.report(whole)
	return Value{}, false
}

// send sends a value. One longer than expected would break the deadlines, and thus look
// like a failure.
func (r *Reduce) send(p protocols.Proc, to int, kind mailbox.Kind, v Value) {
	if len(v.Payload) > r.bytes {
		panicTooLong(len(v.Payload), r.bytes)
	}
	p.Send(to, mailbox.Message{Kind: kind, Epoch: r.Epoch, A: v.A, Payload: v.Payload})
}

func panicTooLong(bytes, most int) {
	panic(fmt.Sprintf("reduce: a payload of %d bytes, want at most the %d that Options.Bytes allows", bytes, most))
}
