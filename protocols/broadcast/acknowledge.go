package broadcast

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Acknowledge stands in the place of a correction and corrects nothing: a rank tells its
// parent when all its children have told it so. It is what fault-tolerant broadcasts
// usually do to find out about failures (Corrected Trees, section 4.1); here, without a
// failure detector, ranks above a failed one wait for ever.
type Acknowledge struct{ Tree tree.Tree }

// String names it.
func (Acknowledge) String() string { return "ack" }

// On needs no ring.
func (a Acknowledge) On(correction.Ring) (correction.Runner, error) { return &a, nil }

// Run waits for all children, then tells the parent.
func (a *Acknowledge) Run(p protocols.Proc, _ int, msg mailbox.Message) {
	for i := 0; ; i++ {
		child, ok := a.Tree.Child(p.Rank(), i)
		if !ok {
			break
		}
		// From one child after the other, so that a deadlock names the one that is missing.
		awaitAck(p, child, msg.Epoch)
	}
	if parent, ok := a.Tree.Parent(p.Rank()); ok {
		p.Send(parent, mailbox.Message{Kind: Ack, Epoch: msg.Epoch})
	}
}

// awaitAck waits for a child's acknowledgement. Those of earlier epochs are late.
func awaitAck(p protocols.Proc, child int, epoch uint32) {
	for {
		if _, m := p.Recv(mailbox.From(child).OfKind(Ack).UpTo(epoch)); m.Epoch == epoch {
			return
		}
	}
}
