package tcp

import (
	"cmp"
	"crypto/tls"
	"net"
	"sync"
	"syscall"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// socket is a TCP connection that can also be read and written without waiting. Encryption may lie above it.
//
// At first it is one like any other, for handshakes. When an outbox has it, what encryption writes is only gathered, and the outbox
// gives it to the kernel; when a link reads from it, there is nothing to be read unless it has come.
type socket struct {
	*net.TCPConn
	raw   syscall.RawConn
	eager bool // reads do not wait
	empty bool // nothing more is to be read for now: the last read has taken everything, or was the only one
	once  bool // a single read is enough for now

	in  transfer // of who reads
	out transfer // of the outbox

	mu        sync.Mutex
	gathering bool
	gathered  []byte
}

// transfer is one call of the kernel. It is kept between calls, so that none takes memory.
type transfer struct {
	text []byte
	n    int
	err  error
	call func(fd uintptr)
}

// newSocket makes one of a connection, or returns that itself if it cannot be asked without waiting.
func newSocket(conn net.Conn) net.Conn {
	plain, ok := conn.(*net.TCPConn)
	if !ok || !canAsk {
		return conn
	}
	raw, err := plain.SyscallConn()
	if err != nil {
		return conn
	}
	s := &socket{TCPConn: plain, raw: raw}
	s.in.call = func(fd uintptr) { s.in.n, s.in.err = readNow(fd, s.in.text) }
	s.out.call = func(fd uintptr) { s.out.n, s.out.err = writeNow(fd, s.out.text) }
	return s
}

// socketOf is the socket of a session, or nil.
func socketOf(s *wire.Session) *socket {
	conn := s.Conn
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	socket, _ := conn.(*socket)
	return socket
}

// Read reads what has come. If it does not wait, and there is nothing, it returns wire.ErrNotYet.
func (s *socket) Read(text []byte) (int, error) {
	if !s.eager {
		return s.TCPConn.Read(text)
	}
	if s.empty {
		s.empty = false
		return 0, wire.ErrNotYet
	}
	s.in.text = text
	if err := s.raw.Control(s.in.call); err != nil {
		return 0, err
	}
	s.empty = s.in.err == nil && (s.once || s.in.n < len(text))
	return s.in.n, s.in.err
}

// wait waits until there is something to read, or the end of the connection.
func (s *socket) wait() error {
	var failed error
	err := s.raw.Read(func(fd uintptr) (ready bool) {
		ready, failed = peekNow(fd)
		return ready
	})
	return cmp.Or(err, failed)
}

// Write writes what encryption makes of frames and handshakes, or leaves it to be taken.
func (s *socket) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gathering {
		return s.TCPConn.Write(text)
	}
	s.gathered = append(s.gathered, text...)
	return len(text), nil
}

// gather has what is written be kept until it is taken. What is left when the connection is closed is only encryption's farewell: the
// end of the connection says the same.
func (s *socket) gather() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gathering = true
}

// take takes what was gathered, and gives memory in exchange that is not needed any more.
func (s *socket) take(spare []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	gathered := s.gathered
	s.gathered = spare[:0]
	return gathered
}

// writeNow gives the kernel what it takes without waiting, and returns the rest. An error will come again with the next
// attempt.
func (s *socket) writeNow(text []byte) (rest []byte) {
	s.out.text = text
	if err := s.raw.Control(s.out.call); err != nil || s.out.err != nil {
		return text
	}
	return text[s.out.n:]
}
