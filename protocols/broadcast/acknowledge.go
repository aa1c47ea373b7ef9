package broadcast

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// Acknowledge stands in the place of a correction and corrects nothing: a rank tells its
// parent when all its children have told it so. It is what fault-tolerant broadcasts
// usually do to find out about failures (Corrected Trees, section 4.1); here, without a
// failure detector, ranks above a failed one wait for ever.
type Acknowledge struct{}

// String names it.
func (Acknowledge) String() string { return "ack" }

// On is not for rings: New makes it run over the tree of the broadcast.
func (Acknowledge) On(correction.Ring) (correction.Runner, error) {
	return nil, problems.New("broadcast", "acknowledgements go up the tree of a broadcast, not round a ring")
}

// acknowledgeOver sends acknowledgements up a tree.
type acknowledgeOver struct{ tree tree.Tree }

// Longest is as long as the way down, if nobody fails; else for ever.
func (a *acknowledgeOver) Longest(machine clock.LogP) clock.Time {
	return 2 * tree.Latency(a.tree, machine)
}

// Run waits for all children, then tells the parent.
func (a *acknowledgeOver) Run(p protocols.Proc, _ int, msg mailbox.Message) {
	for i := 0; ; i++ {
		child, ok := a.tree.Child(p.Rank(), i)
		if !ok {
			break
		}
		// From one child after the other, so that a deadlock names the one that is missing.
		protocols.RecvEpoch(p, mailbox.From(child).OfKind(Ack), msg.Epoch)
	}
	if parent, ok := a.tree.Parent(p.Rank()); ok {
		p.Send(parent, mailbox.Message{Kind: Ack, Epoch: msg.Epoch})
	}
}
