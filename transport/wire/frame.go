package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// version is that of the format, and of what control frames say. Both sides of a connection must have the
// same.
const version = 3

// Type says what a frame is for.
type Type uint8

const (
	Message Type = iota + 1 // from one rank to another
	Control                 // between a process and the coordinator; text in the payload
	Welcome                 // the end of a handshake
	Refusal                 // another end; the payload has the reason
	Late                    // a message that must not be received before it has left, which lies ahead
)

// IsMessage reports whether the frame goes from one rank to another.
func (t Type) IsMessage() bool { return t == Message || t == Late }

// Frame is one unit on a connection. All but Type and Payload is for messages only.
type Frame struct {
	Type     Type
	From, To int        // ranks
	Left     clock.Time // when the message left its sender, by the sender's clock
	mailbox.Message
}

const (
	lengthSize  = 4
	headSize    = 1 + 1 + 8 // version, type, job
	addressSize = 4 + 4 + 8 + 1 + 4 + 8
	tagSize     = 16
)

// Overhead is how much longer than its payload a frame is at most.
const Overhead = lengthSize + headSize + addressSize + tagSize

// appendFrame appends a frame with its length, but without its tag.
func appendFrame(dst []byte, id [8]byte, f *Frame) []byte {
	size := headSize + len(f.Payload) + tagSize
	if f.Type.IsMessage() {
		size += addressSize
	}
	return appendBody(binary.BigEndian.AppendUint32(dst, uint32(size)), id, f)
}

// appendBody appends what lies between the length and the tag of a frame.
func appendBody(dst []byte, id [8]byte, f *Frame) []byte {
	dst = append(dst, version, byte(f.Type))
	dst = append(dst, id[:]...)
	if f.Type.IsMessage() {
		dst = binary.BigEndian.AppendUint32(dst, uint32(f.From))
		dst = binary.BigEndian.AppendUint32(dst, uint32(f.To))
		dst = binary.BigEndian.AppendUint64(dst, uint64(f.Left))
		dst = append(dst, byte(f.Kind))
		dst = binary.BigEndian.AppendUint32(dst, f.Epoch)
		dst = binary.BigEndian.AppendUint64(dst, uint64(f.A))
	}
	return append(dst, f.Payload...)
}

// parseFrame reads what lies between the length and the tag. The frame shares no memory with it.
func parseFrame(body []byte, id [8]byte) (f Frame, err error) {
	if len(body) < headSize {
		return f, fmt.Errorf("wire: frame of %d bytes, want %d or more", len(body), headSize)
	}
	if body[0] != version {
		return f, fmt.Errorf("wire: frame of version %d, want %d", body[0], version)
	}
	if [8]byte(body[2:headSize]) != id {
		return f, fmt.Errorf("wire: frame of job %x, want %x", body[2:headSize], id)
	}
	f.Type = Type(body[1])
	rest := body[headSize:]
	switch f.Type {
	case Message, Late:
		return parseMessage(f, rest)
	case Control, Welcome, Refusal:
		f.Payload = string(rest)
		return f, nil
	}
	return f, fmt.Errorf("wire: frame of type %d, want %d to %d", f.Type, Message, Late)
}

func parseMessage(f Frame, rest []byte) (Frame, error) {
	if len(rest) < addressSize {
		return f, fmt.Errorf("wire: message of %d bytes, want %d or more", len(rest), addressSize)
	}
	from, to := binary.BigEndian.Uint32(rest), binary.BigEndian.Uint32(rest[4:])
	if from > math.MaxInt32 || to > math.MaxInt32 {
		return f, fmt.Errorf("wire: message from rank %d to rank %d, want 0 to %d", from, to, math.MaxInt32)
	}
	f.From, f.To = int(from), int(to)
	f.Left = clock.Time(binary.BigEndian.Uint64(rest[8:]))
	f.Kind = mailbox.Kind(rest[16])
	f.Epoch = binary.BigEndian.Uint32(rest[17:])
	f.A = int64(binary.BigEndian.Uint64(rest[21:]))
	f.Payload = string(rest[addressSize:])
	return f, nil
}

// AppendBare appends a frame without its length and its tag, for those who keep messages apart anyway, and to whom nobody else can talk.
func (j Job) AppendBare(dst []byte, f *Frame) []byte { return appendBody(dst, j.ID, f) }

// ParseBare reads what AppendBare has written. The frame shares no memory with it.
func (j Job) ParseBare(text []byte) (Frame, error) { return parseFrame(text, j.ID) }
