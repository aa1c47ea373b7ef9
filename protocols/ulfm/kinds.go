package ulfm

import "github.com/mangrove-emu/mangrove/mailbox"

// The kinds of messages. The epoch of each is the number of its communicator.
const (
	// data is a message of the program, A its tag.
	data mailbox.Kind = iota
	// part belongs to a collective operation, A is its tag. The two never match each other.
	part
	// revoke tells that the communicator is revoked.
	revoke
	// vote, question and decision are what agreements are made of; A holds the number of the
	// agreement in its communicator and the ballot.
	vote
	question
	decision
)

var kindNames = map[mailbox.Kind]string{data: "data", part: "part", revoke: "revoke", vote: "vote", question: "question", decision: "decision"}

// KindName names the kinds of this package's messages.
func KindName(k mailbox.Kind) string { return kindNames[k] }
