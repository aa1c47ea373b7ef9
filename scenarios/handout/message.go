package handout

import (
	"encoding/binary"
	"fmt"
)

// kind is the first byte of a message.
type kind byte

const (
	hello  kind = iota // to the office: so many hands are here
	task               // to a process: a number, and what to do
	result             // to the office: the number, and what came of it
	failed             // to the office: the number, and why there is no result
	end                // to a process: there is nothing left to do
	bye                // to the office: all is done here
)

func pack(k kind, number uint64, content []byte) []byte {
	message := binary.AppendUvarint([]byte{byte(k)}, number)
	return append(message, content...)
}

func unpack(message []byte) (k kind, number uint64, content []byte, err error) {
	if len(message) == 0 {
		return 0, 0, nil, fmt.Errorf("handout: an empty message")
	}
	number, size := binary.Uvarint(message[1:])
	if k = kind(message[0]); size <= 0 || k > bye {
		return 0, 0, nil, fmt.Errorf("handout: a message of %d bytes that means nothing", len(message))
	}
	return k, number, message[1+size:], nil
}
