package correction

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// Messages of a failure-proof correction have a list of ranks in front of the payload proper: their number, then each of them
// as it is, for a list that goes round the ring does not ascend.

// withRanks puts a list of ranks in front of a payload.
func withRanks(ranks []int, payload string) string {
	buffer := make([]byte, 0, 8+4*len(ranks)+len(payload))
	buffer = varint.Append(buffer, len(ranks))
	for _, rank := range ranks {
		buffer = varint.Append(buffer, rank)
	}
	return string(append(buffer, payload...))
}

// splitRanks takes the list off again. It panics on what withRanks has not made.
func splitRanks(msg mailbox.Message) (ranks []int, payload string) {
	r := varint.Reader{Rest: msg.Payload}
	ranks = make([]int, r.Number())
	for i := range ranks {
		ranks[i] = r.Number()
	}
	return ranks, r.Rest
}
