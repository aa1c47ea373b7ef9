package wire

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
)

// hello is what a side says first, as it goes over the wire.
type hello struct {
	Magic   [4]byte
	Version uint8
	Role    Role
	Job     [8]byte
	Process int32
	Life    int32
	Random  [32]byte
}

var (
	magic     = [4]byte{'M', 'G', 'R', 'V'}
	helloSize = binary.Size(hello{})
)

// What TLS begins with: a hello of its own, or an alert.
var (
	tlsHello = []byte{22, 3}
	tlsAlert = []byte{21, 3}
)

// PlainHello reports whether something begins as a hello that is not encrypted does.
func PlainHello(text []byte) bool { return bytes.HasPrefix(text, magic[:]) }

// AlertPlain is what to answer to that where connections are encrypted: an alert of TLS about its version, which readHello
// knows.
var AlertPlain = []byte{21, 3, 3, 0, 2, 2, 70}

// hello is that of this side.
func (h Handshake) hello() []byte {
	mine := hello{Magic: magic, Version: version, Role: h.Self.Role, Job: h.Job.ID, Process: int32(h.Self.Process), Life: int32(h.Self.Life)}
	rand.Read(mine.Random[:])
	text, _ := binary.Append(nil, binary.BigEndian, &mine) // never fails: all of it has a fixed size
	return text
}

// readHello reads what the other side says first.
func (h Handshake) readHello(r io.Reader) (text []byte, who Identity, err error) {
	text = make([]byte, helloSize)
	_, err = io.ReadFull(r, text)
	switch {
	case bytes.HasPrefix(text, tlsHello), bytes.HasPrefix(text, tlsAlert):
		return nil, who, ErrEncrypted
	case err != nil:
		return nil, who, fmt.Errorf("wire: no hello: %w", err)
	}
	var theirs hello
	binary.Decode(text, binary.BigEndian, &theirs) // never fails: that is how long a hello is
	switch {
	case theirs.Magic != magic:
		return nil, who, fmt.Errorf("wire: it begins with %q, want %q: not one of us", theirs.Magic, magic)
	case theirs.Version != version:
		return nil, who, fmt.Errorf("wire: hello of version %d, want %d: %w", theirs.Version, version, ErrVersion)
	case theirs.Job != h.Job.ID:
		return nil, who, fmt.Errorf("wire: hello of job %x, want %s: %w", theirs.Job, h.Job, ErrJob)
	}
	return text, Identity{Role: theirs.Role, Process: int(theirs.Process), Life: int(theirs.Life)}, nil
}
