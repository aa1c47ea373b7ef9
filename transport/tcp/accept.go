package tcp

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
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

	wg       sync.WaitGroup
	mu       sync.Mutex
	visitors []*visitor // whose handshakes are going on, in the order in which they came
	closed   bool
}

// visitor is a connection whose handshake is going on.
type visitor struct {
	net.Conn
	pushed bool // out, by one who came later
}

// maxVisitors is how many handshakes may be going on. A host that starts all its processes at once
// makes as many as there are processes.
//
// If there are more, the oldest has to go: whoever belongs to the job is through in little more than
// a round trip, and is not kept out by strangers who take their time.
const maxVisitors = 512

func openDoor(address string, h wire.Handshake, secure *tls.Config, log func(string, ...any), enter func(*wire.Session)) (*door, error) {
	if address == "" {
		address = loopback
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("tcp: %w", err)
	}
	d := &door{listener: l, handshake: h, secure: secure, log: log, enter: enter}
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
		v := &visitor{Conn: conn}
		if !d.admit(v) {
			conn.Close()
			return
		}
		d.wg.Go(func() { d.receive(v) })
	}
}

// receive makes a session of a connection, or drops it.
func (d *door) receive(v *visitor) {
	conn := v.Conn
	if d.secure != nil {
		conn = tls.Server(conn, d.secure)
	}
	s, err := d.handshake.Accept(conn)
	switch closed := d.dismiss(v); {
	case closed:
		v.Close()
	case v.pushed:
		d.log("connection from %s dropped: more than %d handshakes are going on, and it was the oldest", v.RemoteAddr(), maxVisitors)
	case err != nil:
		d.log("connection from %s dropped: %v", v.RemoteAddr(), err)
	default:
		d.enter(s)
	}
}

// admit notes that a handshake begins, unless the door is closed. If there are too many, the oldest
// ends.
func (d *door) admit(v *visitor) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	if len(d.visitors) == maxVisitors {
		oldest := d.visitors[0]
		oldest.pushed = true
		oldest.Close()
		d.visitors = slices.Delete(d.visitors, 0, 1)
	}
	d.visitors = append(d.visitors, v)
	return true
}

// dismiss notes that a handshake has ended, and says whether the door is closed.
func (d *door) dismiss(v *visitor) (closed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.visitors, v); i >= 0 {
		d.visitors = slices.Delete(d.visitors, i, i+1)
	}
	return d.closed
}

// close ends listening and all handshakes.
func (d *door) close() {
	d.listener.Close()
	d.mu.Lock()
	d.closed = true
	for _, v := range d.visitors {
		v.Close()
	}
	d.mu.Unlock()
	d.wg.Wait()
}
