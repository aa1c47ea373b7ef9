package wire

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/mangrove-emu/mangrove/mailbox"
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

// Handshake is how a process presents itself.
type Handshake struct {
	Job     Job
	Self    Identity
	Limit   int           // on the length of frames; 0: DefaultLimit
	Timeout time.Duration // for the whole of it; 0: a minute, for hosts are busy where many processes begin
}

const defaultTimeout = time.Minute

// Errors of handshakes.
var (
	ErrSecret  = errors.New("wire: the other side does not know the job's secret")
	ErrRefused = errors.New("wire: refused")
	ErrJob     = errors.New("its key is that of another job")
	ErrVersion = errors.New("it is another version of this program")
	// ErrEncrypted is about a connection that only one side encrypts.
	ErrEncrypted = errors.New("wire: only one of the two sides encrypts the connection")
)

// Connect makes a session of a connection that this side has opened. If it fails the connection
// is closed.
func (h Handshake) Connect(conn net.Conn) (*Session, error) { return h.shake(conn, h.connect) }

// Accept makes a session of a connection that the other side has opened. The caller decides
// whether to Welcome or to Refuse it; until then the time limit goes on. If it fails the connection
// is closed.
func (h Handshake) Accept(conn net.Conn) (*Session, error) { return h.shake(conn, h.accept) }

// shake sets the time limit, and closes the connection if no session comes of it.
func (h Handshake) shake(conn net.Conn, side func(net.Conn) (*Session, error)) (s *Session, err error) {
	if err = conn.SetDeadline(time.Now().Add(cmp.Or(h.Timeout, defaultTimeout))); err == nil {
		s, err = side(conn)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return s, nil
}

func (h Handshake) connect(conn net.Conn) (*Session, error) {
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
	return s, conn.SetDeadline(time.Time{})
}

func (h Handshake) accept(conn net.Conn) (*Session, error) {
	in := bufio.NewReader(conn)
	theirs, peer, err := h.readHello(in)
	mine := h.hello()
	if errors.Is(err, ErrJob) || errors.Is(err, ErrVersion) || errors.Is(err, ErrEncrypted) {
		conn.Write(mine) // without a proof: then the other side knows why, too
	}
	if err != nil {
		return nil, err
	}
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
	return &Session{
		Conn: conn, Peer: peer, Number: binary.BigEndian.Uint64(h.key("number", client, server)), id: h.Job.ID,
		limit: cmp.Or(h.Limit, DefaultLimit), in: in, sealer: gmac(h.key(seal, client, server)), opener: gmac(h.key(open, client, server)),
	}
}

// Welcome ends a handshake well.
func (s *Session) Welcome() error {
	err := s.WriteFrame(&Frame{Type: Welcome})
	if err == nil {
		err = s.SetDeadline(time.Time{})
	}
	if err != nil {
		s.Close()
	}
	return err
}

// Refuse ends a handshake and closes the connection.
func (s *Session) Refuse(reason string) {
	s.WriteFrame(&Frame{Type: Refusal, Message: mailbox.Message{Payload: reason}}) // the other side sees a closed connection if this fails
	s.Close()
}

// proof shows that its side knows the secret and has seen both hellos.
func (h Handshake) proof(side string, client, server []byte) []byte {
	mac := hmac.New(sha256.New, h.Job.Secret[:])
	mac.Write([]byte(side))
	mac.Write(client)
	mac.Write(server)
	return mac.Sum(nil)
}

const keySize = 16

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
