package membership

import "github.com/mangrove-emu/mangrove/mailbox"

// handle deals with one message.
func (m *member) handle(from int, msg mailbox.Message) {
	switch msg.Kind {
	case NewNode, NodeAlive:
		if msg.Payload == "" {
			m.admit(from, msg)
			return
		}
	case Excluded:
		m.hearOfExclusion(from, msg)
		return
	}
	if !m.heeds(from, Changes(msg.Payload)) {
		m.warn(from, msg.Kind == HowAreYou)
		return
	}
	switch msg.Kind {
	case HowAreYou:
		m.hearsay(Changes(msg.Payload))
		m.proc.Send(from, mailbox.Message{Kind: IAmFine, A: msg.A, Payload: string(m.known)})
	case IAmFine:
		m.hearAnswer(msg.A)
		m.hearsay(Changes(msg.Payload))
	case NodeFailure, RootFailure, NewNode, NodeAlive:
		m.hearReport(from, msg)
	case FailureDetAck, NewNodeJoinDetAck, AliveNodeJoinDetAck:
		m.hearReceipt(from, msg)
	case FailedNode, RootDead, RootAndNodeFailure, NewNodeJoin, AliveNodeJoin:
		m.hearChange(from, msg)
	case FailureAck, NewNodeJoinAck, AliveNodeJoinAck:
		m.hearAcknowledgement(from, msg)
	case ViewStable:
		m.hearStable(Changes(msg.Payload))
	case JoinDetAck:
		m.hearWelcome(msg)
	}
}

// heeds reports whether a message counts: its sender is a member, as far as this rank knows and
// the message itself says. Ranks that are no members heed everybody.
func (m *member) heeds(from int, news Changes) bool {
	return !m.in || m.viewOf(m.known.Merge(news)).Has(from)
}

// warn tells a rank whose messages are ignored that they are. It does so once each time the rank
// has left, or if it is asked how it is.
func (m *member) warn(rank int, asked bool) {
	p := m.peer(rank)
	if m.warned[p] && !asked {
		return
	}
	if m.warned == nil {
		m.warned = make(map[peer]bool)
	}
	m.warned[p] = true
	m.proc.Send(rank, mailbox.Message{Kind: Excluded, Epoch: m.known.Digest(), A: m.number(), Payload: string(m.known)})
}
