package ulfm

import "github.com/mangrove-emu/mangrove/mailbox"

// The kinds of messages. The epoch of each is the identity of its communicator.
const (
	// data is a message of the program, A its tag.
	data mailbox.Kind = iota
	// part belongs to a collective operation, A is its tag. The two never match each other.
	part
	// revoke tells that the communicator is revoked.
	revoke
	// vote, question and decision are what agreements are made of; A holds the number of the
	// agreement in its communicator, and what the algorithm puts there.
	vote
	question
	decision
	// creation is part of making a communicator; A says of which, and which way the message goes.
	creation
	// hello says that a rank was started anew, in its life A.
	hello
	// welcome tells such a rank who has started it.
	welcome
	// synchronous is like data, and is answered by taken when a receive has matched it. The payload begins with the number
	// of the message, which is the answer's A.
	synchronous
	taken
	// grouping is part of making a communicator of a group; A says of which, and which way the message goes.
	grouping
)

var kindNames = map[mailbox.Kind]string{
	data: "data", part: "part", revoke: "revoke", vote: "vote", question: "question", decision: "decision",
	creation: "creation", hello: "hello", welcome: "welcome", synchronous: "synchronous", taken: "taken", grouping: "grouping",
}

// ofAll reports whether messages of a kind are parts of operations in which all members take part.
func ofAll(k mailbox.Kind) bool { return k == part || k == creation }

// KindName names the kinds of this package's messages.
func KindName(k mailbox.Kind) string { return kindNames[k] }
