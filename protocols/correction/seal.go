package correction

import (
	"encoding/binary"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// A sealed payload is a list of ranks in front of the payload proper: their number, then
// each of them, as unsigned varints.

// seal puts a list of ranks in front of a payload.
func seal(ranks []int, payload string) string {
	buffer := make([]byte, 0, 8+4*len(ranks)+len(payload))
	buffer = binary.AppendUvarint(buffer, uint64(len(ranks)))
	for _, rank := range ranks {
		buffer = binary.AppendUvarint(buffer, uint64(rank))
	}
	return string(append(buffer, payload...))
}

// unseal takes the list off again. It panics on what seal has not made.
func unseal(msg mailbox.Message) (ranks []int, payload string) {
	rest := []byte(msg.Payload)
	next := func() int {
		value, n := binary.Uvarint(rest)
		if n <= 0 {
			panic("correction: a message of a failure-proof correction without its list of ranks")
		}
		rest = rest[n:]
		return int(value)
	}
	ranks = make([]int, next())
	for i := range ranks {
		ranks[i] = next()
	}
	return ranks, string(rest)
}
