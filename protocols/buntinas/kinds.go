package buntinas

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Kinds of messages. They stand right before the failure detector's notices, so that a rank
// can wait for all of them and leave others alone.
const (
	Down = Ack - 1              // goes down the tree
	Ack  = Nack - 1             // goes up: all below have the message
	Nack = protocols.Failed - 1 // goes up: somebody below has failed, or does not take part any more
)

// everything is what a rank waits for.
var everything = mailbox.OfKinds(Down, protocols.Failed)

var kindNames = map[mailbox.Kind]string{Down: "down", Ack: "ack", Nack: "nack", protocols.Failed: "failed"}

// KindName names the kinds of messages, and a detector's notices.
func KindName(k mailbox.Kind) string { return kindNames[k] }

// Named points of a broadcast, at which a schedule can let ranks fail.
const (
	StepColoured = "coloured" // the rank has the message
	StepRestart  = "restart"  // the root begins another attempt
	StepComplete = "complete" // the root knows that all live ranks have the message
	StepAbandon  = "abandon"  // the rank takes part in a later attempt before it could answer
	StepLate     = "late"     // the rank is asked to take part in an attempt that is over
)
