package emu

import (
	"encoding/binary"

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

// letterMost is how long a letter is at most, without its payload.
const letterMost = 2 + 4 + 4 + 4*binary.MaxVarintLen64

// write puts a letter on paper, all but its payload, and returns its length.
func (l *letter) write(paper *[letterMost]byte) int {
	contents := byte(0)
	binary.LittleEndian.PutUint32(paper[2:], uint32(l.to))
	binary.LittleEndian.PutUint32(paper[6:], uint32(l.from))
	n := 10 + binary.PutUvarint(paper[10:], uint64(l.at))
	if l.again {
		contents |= letterAgain
	}
	if l.msg.Epoch != 0 {
		contents |= letterEpoch
		n += binary.PutUvarint(paper[n:], uint64(l.msg.Epoch))
	}
	if l.msg.A != 0 {
		contents |= letterA
		n += binary.PutVarint(paper[n:], l.msg.A)
	}
	if len(l.msg.Payload) > 0 {
		contents |= letterPayload
		n += binary.PutUvarint(paper[n:], uint64(len(l.msg.Payload)))
	}
	paper[0], paper[1] = byte(l.msg.Kind), contents
	return n
}

// appendTo adds a letter to a batch.
func (l *letter) appendTo(batch []byte) []byte {
	var paper [letterMost]byte
	batch = append(batch, paper[:l.write(&paper)]...)
	return append(batch, l.msg.Payload...)
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
