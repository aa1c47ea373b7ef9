package buntinas

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// How messages carry more than what is broadcast:
//
//   - A holds the number of the attempt in its upper half. In a Down, the lower half holds the
//     end of the receiver's interval and whether the payload is extended.
//   - An extended payload has the integer of the message that is broadcast and a list of failed
//     ranks in front. Where there is neither, payloads are not extended: all ranks share one.
//   - The payload of a Nack is a list of failed ranks.
//
// Ranks in lists are counted from the root.
const (
	attemptShift = 32
	extendedBit  = 1 << 31
	endMask      = extendedBit - 1
)

// attemptOf returns the attempt that a message belongs to.
func attemptOf(msg mailbox.Message) int { return int(msg.A >> attemptShift) }

// pack returns the Down that brings the message to a rank which is responsible for the ranks
// behind it, up to the end, but for those that have failed.
func pack(msg mailbox.Message, attempt, end int, failed places) mailbox.Message {
	a := int64(attempt)<<attemptShift | int64(end)
	if msg.A != 0 || len(failed) > 0 {
		text := varint.AppendSigned(nil, msg.A)
		text = varint.AppendList(text, failed)
		msg.Payload = string(append(text, msg.Payload...))
		a |= extendedBit
	}
	msg.Kind, msg.A = Down, a
	return msg
}

// unpack takes apart what pack has made.
func unpack(down mailbox.Message) (msg mailbox.Message, end int, failed places) {
	msg, end = down, int(down.A&endMask)
	msg.A = 0
	if down.A&extendedBit != 0 {
		r := varint.Reader{Rest: down.Payload}
		msg.A, failed = r.Signed(), r.List()
		msg.Payload = r.Rest
	}
	return msg, end, failed
}
