package membership

import "github.com/mangrove-emu/mangrove/mailbox"

// The messages of the thesis, figure 3.3, by their names there, and three more: the answer to an
// inquiry, which has no name there, Excluded and ViewStable. Where the payload is not said to be empty it
// is [Changes].
const (
	// An inquiry and its answer, with the same A. They carry all that is known: what a root told
	// only some before it failed gets around with them, even if that is that the inquirer itself
	// is a member.
	HowAreYou mailbox.Kind = iota
	IAmFine

	// A detector's reports, to the root or to who should be the next one: all it knows.
	NodeFailure
	RootFailure
	// FailureDetAck acknowledges a report: empty, the same A.
	FailureDetAck

	// The root's view changes, handed down the tree: all changes. The epoch is their digest, A
	// how many they are.
	FailedNode
	RootDead
	RootAndNodeFailure
	// FailureAck goes up the tree when all below have changed their view: what the changes
	// leave out.
	FailureAck

	// Requests to become a member, of a new rank and of one that has failed: empty. The epoch is what an
	// earlier request was granted, if there was one. Members hand them on to the root as reports.
	NewNode
	NodeAlive
	// They are acknowledged at once: the same A. The epoch is the number of changes with which the rank will be
	// a member. The payload is the last view known to be stable, if minorities abort; else it is empty.
	NewNodeJoinDetAck
	AliveNodeJoinDetAck
	// View changes with a new member, and their acknowledgements.
	NewNodeJoin
	AliveNodeJoin
	NewNodeJoinAck
	AliveNodeJoinAck
	// JoinDetAck welcomes the new member once the tree is stable: the view. It also answers one that asks once
	// more, and has missed the view: the epoch and A are those of the request.
	JoinDetAck

	// Excluded tells a rank that its messages are ignored: all changes.
	Excluded

	// ViewStable goes down the tree if minorities abort: the view is that of all its members. The
	// epoch is its digest, A how many changes it has.
	ViewStable
)

var kindNames = map[mailbox.Kind]string{
	HowAreYou: "HOW_ARE_YOU", IAmFine: "I_AM_FINE",
	NodeFailure: "NODE_FAILURE", RootFailure: "ROOT_FAILURE", FailureDetAck: "FAILURE_DET_ACK",
	FailedNode: "FAILED_NODE", RootDead: "ROOT_DEAD", RootAndNodeFailure: "ROOT_AND_NODE_FAILURE", FailureAck: "FAILURE_ACK",
	NewNode: "NEW_NODE", NodeAlive: "NODE_ALIVE",
	NewNodeJoinDetAck: "NEW_NODE_JOIN_DET_ACK", AliveNodeJoinDetAck: "ALIVE_NODE_JOIN_DET_ACK",
	NewNodeJoin: "NEW_NODE_JOIN", AliveNodeJoin: "ALIVE_NODE_JOIN",
	NewNodeJoinAck: "NEW_NODE_JOIN_ACK", AliveNodeJoinAck: "ALIVE_NODE_JOIN_ACK", JoinDetAck: "JOIN_DET_ACK",
	Excluded: "EXCLUDED", ViewStable: "VIEW_STABLE",
}

// KindName names a kind as the thesis does.
func KindName(k mailbox.Kind) string { return kindNames[k] }

// acknowledgement is the kind of answer to a report, a request or a view change.
func acknowledgement(k mailbox.Kind) mailbox.Kind {
	switch k {
	case NewNode:
		return NewNodeJoinDetAck
	case NodeAlive:
		return AliveNodeJoinDetAck
	case NewNodeJoin:
		return NewNodeJoinAck
	case AliveNodeJoin:
		return AliveNodeJoinAck
	case NodeFailure, RootFailure:
		return FailureDetAck
	}
	return FailureAck
}

// news sorts changes by what the thesis calls them.
type news struct{ root, failed, joined bool }

// newsOf compares what is known with an earlier view.
func newsOf(v View, known Changes) (n news) {
	beyond := known.Beyond(v.Changes)
	root := v.Root()
	for i := range beyond.Len() {
		rank, number := beyond.At(i)
		switch {
		case v.Group.has(rank, number):
			n.joined = n.joined || rank >= v.Members && number == 1
		case rank == root:
			n.root = true
		default:
			n.failed = true
		}
	}
	return n
}

// report is the kind of message that tells these news to a root.
func (n news) report() mailbox.Kind {
	switch {
	case n.root:
		return RootFailure
	case n.failed:
		return NodeFailure
	case n.joined:
		return NewNode
	}
	return NodeAlive
}

// change is the kind of message that tells these news to everybody.
func (n news) change() mailbox.Kind {
	switch {
	case n.root && n.failed:
		return RootAndNodeFailure
	case n.root:
		return RootDead
	case n.failed:
		return FailedNode
	case n.joined:
		return NewNodeJoin
	}
	return AliveNodeJoin
}
