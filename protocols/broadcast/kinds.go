package broadcast

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/correction"
)

// Kinds of messages, besides those of the correction.
const (
	// Down goes down the tree. It stands before the kinds of the correction, so that a rank
	// can wait for all of them and leave others alone.
	Down = correction.FirstKind - 1
	// Ack goes up the tree.
	Ack = Down - 1
)

// KindName names the kinds of messages a broadcast sends.
func KindName(k mailbox.Kind) string {
	switch k {
	case Down:
		return "tree"
	case Ack:
		return "ack"
	}
	return correction.KindName(k)
}
