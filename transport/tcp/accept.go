package tcp

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// door is where connections come in. It lets in who knows the secret, and does not let strangers
// take up room: a handshake has little time, and only so many may be going on.
type door struct {
	listener  net.Listener
	handshake wire.Handshake
	secure    *tls.Config // nil: connections are not encrypted
	log       func(format string, args ...any)
	// enter takes a session over. It must Welcome or Refuse it.
	enter func(s *wire.Session)

	visitors chan struct{}
	wg       sync.WaitGroup
	mu       sync.Mutex
	inside   map[net.Conn]bool // whose handshakes are going on; nil when closed
}

// maxVisitors is how many handshakes may be going on. A host that starts all its processes at once
// makes as many as there are processes.
const maxVisitors = 512

func openDoor(address string, h wire.Handshake, secure *tls.Config, log func(string, ...any), enter func(*wire.Session)) (*door, error) {
	if address == "" {
		address = loopback
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("tcp: %w", err)
	}
	d := &door{
		listener: l, handshake: h, secure: secure, log: log, enter: enter,
		visitors: make(chan struct{}, maxVisitors), inside: make(map[net.Conn]bool),
	}
	d.wg.Go(d.watch)
	return d, nil
}

// watch accepts connections until the door is closed.
func (d *door) watch() {
	for {
		conn, err := d.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			d.log("no connection accepted: %v", err)
			time.Sleep(10 * time.Millisecond) // too many open files, for example: that may pass
			continue
		}
		select {
		case d.visitors <- struct{}{}:
			d.wg.Go(func() {
				defer func() { <-d.visitors }()
				d.receive(conn)
			})
		default:
			d.log("connection from %s dropped: %d handshakes are going on", conn.RemoteAddr(), maxVisitors)
			conn.Close()
		}
	}
}

// receive makes a session of a connection, or drops it.
func (d *door) receive(conn net.Conn) {
	from := conn.RemoteAddr()
	if d.secure != nil {
		conn = tls.Server(conn, d.secure)
	}
	if !d.note(conn) {
		conn.Close()
		return
	}
	s, err := d.handshake.Accept(conn)
	d.forget(conn)
	if err != nil {
		d.log("connection from %s dropped: %v", from, err)
		return
	}
	d.enter(s)
}

func (d *door) note(conn net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inside == nil {
		return false
	}
	d.inside[conn] = true
	return true
}

func (d *door) forget(conn net.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.inside, conn)
}

// close ends listening and all handshakes.
func (d *door) close() {
	d.listener.Close()
	d.mu.Lock()
	for conn := range d.inside {
		conn.Close()
	}
	d.inside = nil
	d.mu.Unlock()
	d.wg.Wait()
}
