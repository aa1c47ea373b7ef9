package wire

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Role is what a process wants from the one it connects to.
type Role uint8

const (
	Peer   Role = iota + 1 // to exchange messages of ranks
	Member                 // to be coordinated
)

// Identity is who a process says it is. Life counts how often it has been started before.
type Identity struct {
	Role    Role
	Process int
	Life    int
}

var magic = [4]byte{'M', 'G', 'R', 'V'}

const (
	nonceSize = 32
	helloSize = 4 + 1 + 1 + 8 + 4 + 4 + nonceSize
	keySize   = 16
)

// Handshake is how a process presents itself.
type Handshake struct {
	Job     Job
	Self    Identity
	Limit   int           // on the length of frames; 0: DefaultLimit
	Timeout time.Duration // for the whole of it; 0: ten seconds, for hosts are busy where many processes begin
}

const defaultTimeout = 10 * time.Second

// Errors of handshakes.
var (
	ErrSecret  = errors.New("wire: the other side does not know the job's secret")
	ErrRefused = errors.New("wire: refused")
)

func (h Handshake) limit() int {
	if h.Limit == 0 {
		return DefaultLimit
	}
	return h.Limit
}

func (h Handshake) timeout() time.Duration {
	if h.Timeout == 0 {
		return defaultTimeout
	}
	return h.Timeout
}

// Connect makes a session of a connection that this side has opened. If it fails the connection
// is closed.
func (h Handshake) Connect(conn net.Conn) (*Session, error) {
	s, err := h.connect(conn)
	return settle(conn, s, err)
}

// settle ends the time limit of a handshake, or the connection.
func settle(conn net.Conn, s *Session, err error) (*Session, error) {
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return s, nil
}

func (h Handshake) connect(conn net.Conn) (*Session, error) {
	if err := conn.SetDeadline(time.Now().Add(h.timeout())); err != nil {
		return nil, err
	}
	mine := h.hello()
	if _, err := conn.Write(mine); err != nil {
		return nil, err
	}
	in := bufio.NewReader(conn)
	theirs, peer, err := h.readHello(in)
	if err != nil {
		return nil, err
	}
	if err := h.readProof(in, "server", mine, theirs); err != nil {
		return nil, err
	}
	if _, err := conn.Write(h.proof("client", mine, theirs)); err != nil {
		return nil, err
	}
	s := h.session(conn, in, peer, mine, theirs, "to server", "to client")
	f, err := s.ReadFrame()
	switch {
	case err != nil:
		return nil, err
	case f.Type == Refusal:
		return nil, fmt.Errorf("%w: %.100s", ErrRefused, f.Payload)
	case f.Type != Welcome:
		return nil, fmt.Errorf("wire: frame of type %d at the end of a handshake, want %d or %d", f.Type, Welcome, Refusal)
	}
	return s, nil
}

// Accept makes a session of a connection that the other side has opened. The caller decides
// whether to Welcome or to Refuse it; until then the time limit goes on. If it fails the connection
// is closed.
func (h Handshake) Accept(conn net.Conn) (*Session, error) {
	s, err := h.accept(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return s, nil
}

func (h Handshake) accept(conn net.Conn) (*Session, error) {
	if err := conn.SetDeadline(time.Now().Add(h.timeout())); err != nil {
		return nil, err
	}
	in := bufio.NewReader(conn)
	theirs, peer, err := h.readHello(in)
	if err != nil {
		return nil, err
	}
	mine := h.hello()
	if _, err := conn.Write(append(bytes.Clone(mine), h.proof("server", theirs, mine)...)); err != nil {
		return nil, err
	}
	if err := h.readProof(in, "client", theirs, mine); err != nil {
		return nil, err
	}
	return h.session(conn, in, peer, theirs, mine, "to client", "to server"), nil
}

// session is what comes of two hellos. Seal and open name its directions as this side sees them.
func (h Handshake) session(conn net.Conn, in *bufio.Reader, peer Identity, client, server []byte, seal, open string) *Session {
	return newSession(conn, in, h.Job.ID, h.limit(), peer,
		h.key("number", client, server), h.key(seal, client, server), h.key(open, client, server))
}

// Welcome ends a handshake well.
func (s *Session) Welcome() error {
	err := s.WriteFrame(&Frame{Type: Welcome})
	_, err = settle(s.Conn, s, err)
	return err
}

// Refuse ends a handshake and closes the connection.
func (s *Session) Refuse(reason string) {
	f := Frame{Type: Refusal}
	f.Payload = reason
	s.WriteFrame(&f) // the other side sees a closed connection if this fails
	s.Close()
}

// hello is what a side says first.
func (h Handshake) hello() []byte {
	b := append([]byte(nil), magic[:]...)
	b = append(b, version, byte(h.Self.Role))
	b = append(b, h.Job.ID[:]...)
	b = binary.BigEndian.AppendUint32(b, uint32(h.Self.Process))
	b = binary.BigEndian.AppendUint32(b, uint32(h.Self.Life))
	random := make([]byte, nonceSize)
	rand.Read(random)
	return append(b, random...)
}

// readHello reads what the other side says first.
func (h Handshake) readHello(r io.Reader) (hello []byte, who Identity, err error) {
	hello = make([]byte, helloSize)
	if _, err := io.ReadFull(r, hello); err != nil {
		return nil, who, fmt.Errorf("wire: no hello: %w", err)
	}
	switch {
	case [4]byte(hello) != magic:
		return nil, who, fmt.Errorf("wire: it begins with %q, want %q: not one of us", hello[:4], magic)
	case hello[4] != version:
		return nil, who, fmt.Errorf("wire: hello of version %d, want %d", hello[4], version)
	case [8]byte(hello[6:]) != h.Job.ID:
		return nil, who, fmt.Errorf("wire: hello of job %x, want %s", hello[6:14], h.Job)
	}
	who = Identity{
		Role:    Role(hello[5]),
		Process: int(int32(binary.BigEndian.Uint32(hello[14:]))),
		Life:    int(int32(binary.BigEndian.Uint32(hello[18:]))),
	}
	return hello, who, nil
}

// proof shows that its side knows the secret and has seen both hellos.
func (h Handshake) proof(side string, client, server []byte) []byte {
	mac := hmac.New(sha256.New, h.Job.Secret[:])
	mac.Write([]byte(side))
	mac.Write(client)
	mac.Write(server)
	return mac.Sum(nil)
}

// key is that of one direction, or something else that only both sides know. It differs from all
// proofs, since its label does.
func (h Handshake) key(label string, client, server []byte) []byte {
	return h.proof("key "+label, client, server)[:keySize]
}

// readProof checks that the other side knows the secret.
func (h Handshake) readProof(r io.Reader, side string, client, server []byte) error {
	got := make([]byte, sha256.Size)
	if _, err := io.ReadFull(r, got); err != nil {
		return fmt.Errorf("wire: no proof: %w", err)
	}
	if !hmac.Equal(got, h.proof(side, client, server)) {
		return ErrSecret
	}
	return nil
}
