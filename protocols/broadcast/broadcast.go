package broadcast

import (
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Down is the kind of messages that go down the tree. It stands before those of the
// correction, so that a rank can wait for all of them and leave others alone.
const Down = correction.Leftward - 1

// KindName names the kinds of messages a broadcast sends.
func KindName(k mailbox.Kind) string {
	if k == Down {
		return "tree"
	}
	return correction.KindName(k)
}

// Root is the rank that has the message at the start.
const Root = 0

// Named points of a broadcast, at which a schedule can let ranks fail.
const (
	StepColoured   = "coloured"   // the rank has the message
	StepCorrection = "correction" // the rank begins to correct
)

// Broadcast sends one message from the root to everybody.
type Broadcast struct {
	Tree       tree.Tree
	Correction correction.Correction
	// CorrectionStart is the instant at which correction starts on all ranks.
	CorrectionStart clock.Time
	// Epoch tells this broadcast's messages from those of others.
	Epoch uint32
}

// New returns a broadcast whose correction is synchronized to the machine: it starts when
// the tree has reached everybody if nobody has failed.
func New(machine clock.LogP, t tree.Tree, c correction.Correction) (*Broadcast, error) {
	if t == nil || c == nil {
		return nil, errors.New("broadcast: want a tree and a correction")
	}
	if t.Size() != machine.Ranks {
		return nil, fmt.Errorf("broadcast: the tree has %d ranks, the machine %d", t.Size(), machine.Ranks)
	}
	return &Broadcast{Tree: t, Correction: c, CorrectionStart: tree.Latency(t, machine)}, nil
}

// Program returns the broadcast of a message as a program of its own.
func (b *Broadcast) Program(msg mailbox.Message) protocols.Program {
	return protocols.Program{
		Main:       func(p protocols.Proc) { b.Run(p, msg) },
		Initiators: []int{Root},
		KindName:   KindName,
	}
}

// Run does this rank's part and returns the message that the root has passed in, with the
// kind it arrived as and the broadcast's epoch; what others pass in does not matter.
func (b *Broadcast) Run(p protocols.Proc, msg mailbox.Message) mailbox.Message {
	if p.Rank() == Root {
		msg.Kind, msg.Epoch = Down, b.Epoch
	} else {
		msg = b.await(p)
	}
	p.Step(StepColoured)
	if correction.IsCorrection(msg.Kind) {
		return msg // reached by correction: nothing more to do
	}
	b.disseminate(p, msg)
	p.WaitUntil(b.CorrectionStart)
	p.Step(StepCorrection)
	b.Correction.Run(p, msg)
	return msg
}

// await returns the first message of this broadcast. Those of other epochs are late.
func (b *Broadcast) await(p protocols.Proc) mailbox.Message {
	for {
		if _, msg := p.Recv(mailbox.OfKinds(Down, correction.Rightward)); msg.Epoch == b.Epoch {
			return msg
		}
	}
}

// disseminate sends the message to the rank's children.
func (b *Broadcast) disseminate(p protocols.Proc, msg mailbox.Message) {
	for i := 0; ; i++ {
		child, ok := b.Tree.Child(p.Rank(), i)
		if !ok {
			return
		}
		p.Send(child, msg)
	}
}
