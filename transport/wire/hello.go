package wire

import (
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
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, who, fmt.Errorf("wire: no hello: %w", err)
	}
	var theirs hello
	binary.Decode(text, binary.BigEndian, &theirs) // never fails: that is how long a hello is
	switch {
	case theirs.Magic != magic:
		return nil, who, fmt.Errorf("wire: it begins with %q, want %q: not one of us", theirs.Magic, magic)
	case theirs.Version != version:
		return nil, who, fmt.Errorf("wire: hello of version %d, want %d", theirs.Version, version)
	case theirs.Job != h.Job.ID:
		return nil, who, fmt.Errorf("wire: hello of job %x, want %s", theirs.Job, h.Job)
	}
	return text, Identity{Role: theirs.Role, Process: int(theirs.Process), Life: int(theirs.Life)}, nil
}
