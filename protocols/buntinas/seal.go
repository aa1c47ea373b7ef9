package buntinas

import (
	"encoding/binary"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// How messages carry more than what is broadcast:
//
//   - A holds the number of the attempt in its upper half. In a Down, the lower half holds the
//     end of the receiver's interval and whether the payload is sealed.
//   - A sealed payload has the integer of the message that is broadcast and a list of failed
//     ranks in front. Where there is neither, payloads are not sealed: all ranks share one.
//   - The payload of a Nack is a list of failed ranks.
//
// A list is its length and the distance of each rank, counted from the root, from the one
// before, all of them as unsigned varints.
const (
	attemptShift = 32
	sealedBit    = 1 << 31
	endMask      = sealedBit - 1
)

// attemptOf returns the attempt that a message belongs to.
func attemptOf(msg mailbox.Message) int { return int(msg.A >> attemptShift) }

// seal returns the Down that brings the message to a rank which is responsible for the ranks
// behind it, up to the end, but for those that have failed.
func seal(msg mailbox.Message, attempt, end int, failed places) mailbox.Message {
	a := int64(attempt)<<attemptShift | int64(end)
	if msg.A != 0 || len(failed) > 0 {
		text := binary.AppendVarint(nil, msg.A)
		text = appendList(text, failed)
		msg.Payload = string(append(text, msg.Payload...))
		a |= sealedBit
	}
	msg.Kind, msg.A = Down, a
	return msg
}

// unseal takes apart what seal has made.
func unseal(down mailbox.Message) (msg mailbox.Message, end int, failed places) {
	msg, end = down, int(down.A&endMask)
	msg.A = 0
	if down.A&sealedBit != 0 {
		text := []byte(down.Payload)
		a, n := binary.Varint(text)
		check(n)
		failed, text = parseList(text[n:])
		msg.A, msg.Payload = a, string(text)
	}
	return msg, end, failed
}

// appendList appends a list of failed ranks.
func appendList(text []byte, list places) []byte {
	text = binary.AppendUvarint(text, uint64(len(list)))
	last := 0
	for _, place := range list {
		text = binary.AppendUvarint(text, uint64(place-last))
		last = place
	}
	return text
}

// parseList reads a list of failed ranks, and returns what follows it.
func parseList(text []byte) (list places, rest []byte) {
	next := func() int {
		value, n := binary.Uvarint(text)
		check(n)
		text = text[n:]
		return int(value)
	}
	last := 0
	for range next() {
		last += next()
		list = append(list, last)
	}
	return list, text
}

// check panics if a number could not be read.
func check(bytes int) {
	if bytes <= 0 {
		panic("buntinas: a message without its list of failed ranks")
	}
}
