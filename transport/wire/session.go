package wire

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
)

// DefaultLimit is how long frames may be unless somebody says otherwise.
const DefaultLimit = 64 << 20

// Session is a connection after its handshake. One goroutine may read from it and another one
// write to it at the same time.
type Session struct {
	net.Conn
	Peer   Identity // the other side
	Number uint64   // names the session; the same on both sides, and of no other one
	id     [8]byte
	limit  int

	in       *bufio.Reader
	buffer   []byte // what has come of the next frame
	opener   cipher.AEAD
	received uint64
	broken   error // why nothing more is read

	sealer cipher.AEAD
	sent   uint64
}

// ErrTag says that a frame is not what the other side has sent next.
var ErrTag = errors.New("wire: a frame was changed, injected or repeated: its tag is wrong")

func gmac(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(fmt.Sprintf("wire: %v", err)) // keys have the right length
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(fmt.Sprintf("wire: %v", err))
	}
	return aead
}

// nonce is the number of a frame in its direction. It never comes twice with the same key.
func nonce(number uint64) (n [12]byte) {
	binary.BigEndian.PutUint64(n[4:], number)
	return n
}

// Fits reports whether a frame with so long a payload is not too long.
func (s *Session) Fits(payload int) bool { return payload <= s.limit-Overhead }

// Append appends a frame as it goes over the connection. The order of calls is the order in which
// frames must be written.
func (s *Session) Append(dst []byte, f *Frame) []byte {
	start := len(dst)
	dst = appendFrame(dst, s.id, f)
	n := nonce(s.sent)
	s.sent++
	return s.sealer.Seal(dst, n[:], nil, dst[start:])
}

// WriteFrame writes one frame.
func (s *Session) WriteFrame(f *Frame) error {
	_, err := s.Write(s.Append(nil, f))
	return err
}

// ReadFrame reads the next frame. After an error other than ErrNotYet the session is of no use any more: what comes
// later would have a gap before it, so the same error comes again.
func (s *Session) ReadFrame() (f Frame, err error) {
	if s.broken != nil {
		return Frame{}, s.broken
	}
	if f, err = s.readFrame(); err != nil && err != ErrNotYet {
		s.broken = err
	}
	return f, err
}

func (s *Session) readFrame() (f Frame, err error) {
	if s.buffer, err = readFrame(s.in, s.limit, s.buffer); err != nil {
		return Frame{}, err
	}
	defer s.forget()
	n := nonce(s.received)
	s.received++
	covered := len(s.buffer) - tagSize
	if _, err := s.opener.Open(nil, n[:], s.buffer[covered:], s.buffer[:covered]); err != nil {
		return Frame{}, ErrTag
	}
	if f, err = parseFrame(s.buffer[lengthSize:covered], s.id); err != nil {
		return Frame{}, err
	}
	return f, nil
}

// forget makes room for the next frame.
func (s *Session) forget() {
	if s.buffer = s.buffer[:0]; cap(s.buffer) > maxKept {
		s.buffer = nil
	}
}

// maxKept is how much memory a session keeps between two frames.
const maxKept = 1 << 20
