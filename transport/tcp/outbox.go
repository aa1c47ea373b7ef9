package tcp

import (
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// outbox writes the frames of one session, without making those wait who hand them over, unless very
// much is waiting already.
//
// A frame is written at once as far as the kernel takes it, so that it is on its way even if this
// process is killed the next moment. Only what the kernel does not take, because the other side
// has stopped reading, is left to a goroutine.
type outbox struct {
	session *wire.Session
	raw     syscall.RawConn // nil: everything is left to the goroutine
	emptied func()          // called when the goroutine has written everything

	mu      sync.Mutex
	limit   int // on the backlog
	backlog []byte
	scratch []byte
	writing bool // the goroutine is at work
	failed  bool
	shorter sync.Cond // the backlog is, or it never will be written
}

func newOutbox(s *wire.Session, emptied func()) *outbox {
	o := &outbox{session: s, emptied: emptied, limit: maxBacklog}
	o.shorter.L = &o.mu
	if plain, ok := s.Conn.(*net.TCPConn); ok {
		if raw, err := plain.SyscallConn(); err == nil {
			o.raw = raw
		}
	}
	return o
}

// maxBacklog is how much may wait to be written before others have to wait, too.
const maxBacklog = 256 << 20

// send writes frames, or leaves them to be written.
func (o *outbox) send(frames ...wire.Frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.backlog) > o.limit && !o.failed {
		o.shorter.Wait()
	}
	if o.failed {
		return
	}
	o.scratch = o.scratch[:0]
	for i := range frames {
		o.scratch = o.session.Append(o.scratch, &frames[i])
	}
	unwritten := o.scratch
	if !o.writing {
		unwritten = o.tryWrite(unwritten)
	}
	if len(unwritten) == 0 {
		return
	}
	o.backlog = append(o.backlog, unwritten...)
	if !o.writing {
		o.writing = true
		go o.writeBacklog()
	}
}

// tryWrite writes what the kernel takes without waiting and returns what it does not.
func (o *outbox) tryWrite(text []byte) []byte {
	if o.raw == nil {
		return text
	}
	return text[writeNow(o.raw, text):]
}

// writeBacklog writes until nothing is left.
func (o *outbox) writeBacklog() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.backlog) > 0 && !o.failed {
		text := o.backlog
		o.backlog = nil
		o.shorter.Broadcast()
		o.mu.Unlock()
		_, err := o.session.Write(text)
		o.mu.Lock()
		o.failed = o.failed || err != nil
	}
	o.backlog = nil
	o.writing = false
	o.shorter.Broadcast()
	o.emptied()
}

// sendHalf begins to write a frame and stops in the middle, as a process does that dies in a send.
func (o *outbox) sendHalf(f wire.Frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if text := o.session.Append(nil, &f); !o.writing && !o.failed {
		o.tryWrite(text[:len(text)/2])
	}
}

// empty reports whether everything has been given to the kernel.
func (o *outbox) empty() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.writing
}

// flush waits until everything has been given to the kernel, but not for long.
func (o *outbox) flush(patience time.Duration) {
	done := time.AfterFunc(patience, o.fail)
	defer done.Stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.writing && !o.failed {
		o.shorter.Wait()
	}
}

// fail gives up what has not been written.
func (o *outbox) fail() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed = true
	o.shorter.Broadcast()
}

// close ends the session and the goroutine.
func (o *outbox) close() {
	o.fail()
	o.session.Close()
}
