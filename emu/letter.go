package emu

import (
	"encoding/binary"
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// letter is a message on its way to another part. In a batch it takes a dozen bytes, since most messages have little in them: what it is,
// what there is in it, receiver and sender, when it arrives, and of the rest what is not zero.
type letter struct {
	to, from int
	at       clock.Time
	again    bool
	msg      mailbox.Message
}

// What there is in a letter, besides that it arrives again.
const (
	letterAgain = 1 << iota
	letterEpoch
	letterA
	letterPayload
)

// letterLength is how long a letter is.
func letterLength(at clock.Time, msg *mailbox.Message) int {
	n := 10 + varintLength(uint64(at))
	if msg.Epoch != 0 {
		n += varintLength(uint64(msg.Epoch))
	}
	if msg.A != 0 {
		n += varintLength(zigzag(msg.A))
	}
	if len(msg.Payload) > 0 {
		n += varintLength(uint64(len(msg.Payload))) + len(msg.Payload)
	}
	return n
}

// varintLength is how long a number is in a letter.
func varintLength(x uint64) int { return (bits.Len64(x|1) + 6) / 7 }

// zigzag makes small numbers of those near zero.
func zigzag(x int64) uint64 { return uint64(x)<<1 ^ uint64(x>>63) }

// writeLetter fills paper of the right length. It has hardly any variables of its own, as it is called on the stacks of ranks.
func writeLetter(paper []byte, to int, from int32, at clock.Time, msg *mailbox.Message, again bool) {
	paper[0], paper[1] = byte(msg.Kind), 0
	if again {
		paper[1] = letterAgain
	}
	binary.LittleEndian.PutUint32(paper[2:], uint32(to))
	binary.LittleEndian.PutUint32(paper[6:], uint32(from))
	n := 10 + binary.PutUvarint(paper[10:], uint64(at))
	if msg.Epoch != 0 {
		paper[1] |= letterEpoch
		n += binary.PutUvarint(paper[n:], uint64(msg.Epoch))
	}
	if msg.A != 0 {
		paper[1] |= letterA
		n += binary.PutUvarint(paper[n:], zigzag(msg.A))
	}
	if len(msg.Payload) > 0 {
		paper[1] |= letterPayload
		n += binary.PutUvarint(paper[n:], uint64(len(msg.Payload)))
		copy(paper[n:], msg.Payload)
	}
}

// appendLetter adds a letter to a batch.
func appendLetter(batch []byte, to int, from int32, at clock.Time, msg *mailbox.Message, again bool) []byte {
	start, n := len(batch), letterLength(at, msg)
	batch = append(batch, make([]byte, n)...)
	writeLetter(batch[start:], to, from, at, msg, again)
	return batch
}

// letter takes the first letter from a batch.
func (r *reader) letter() (l letter) {
	batch := *r
	contents := batch[1]
	l.msg.Kind, l.again = mailbox.Kind(batch[0]), contents&letterAgain != 0
	l.to, l.from = int(binary.LittleEndian.Uint32(batch[2:])), int(binary.LittleEndian.Uint32(batch[6:]))
	*r = batch[10:]
	l.at = clock.Time(r.count())
	if contents&letterEpoch != 0 {
		l.msg.Epoch = uint32(r.count())
	}
	if contents&letterA != 0 {
		l.msg.A = r.number()
	}
	if contents&letterPayload != 0 {
		l.msg.Payload = string(r.bytes())
	}
	return l
}
