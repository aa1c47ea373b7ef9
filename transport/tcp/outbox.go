package tcp

import (
	"net"
	"sync"
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
	socket  *socket // nil: everything is left to the goroutine
	secure  bool    // the socket is below encryption
	emptied func()  // called when the goroutine has written everything

	mu      sync.Mutex
	limit   int // on the backlog
	backlog []byte
	frames  []byte // memory for those of a send,
	sealed  []byte // and for what encryption makes of them
	writing bool   // the goroutine is at work
	failed  bool
	shorter sync.Cond // the backlog is, or it never will be written
}

func newOutbox(s *wire.Session, emptied func()) *outbox {
	o := &outbox{session: s, socket: socketOf(s), emptied: emptied, limit: maxBacklog}
	o.shorter.L = &o.mu
	if o.secure = o.socket != nil && s.Conn != net.Conn(o.socket); o.secure {
		o.socket.gather()
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
	unwritten := o.text(frames...)
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

// text is what the kernel is to be given for frames. It may be used until the next call.
func (o *outbox) text(frames ...wire.Frame) []byte {
	o.frames = small(o.frames)
	for i := range frames {
		o.frames = o.session.Append(o.frames, &frames[i])
	}
	if !o.secure {
		return o.frames
	}
	if _, err := o.session.Write(o.frames); err != nil {
		return nil // it is closed
	}
	o.sealed = o.socket.take(small(o.sealed))
	return o.sealed
}

// small is memory without anything in it, if it is not too much to be kept.
func small(memory []byte) []byte {
	const most = 1 << 20
	if cap(memory) > most {
		return nil
	}
	return memory[:0]
}

// tryWrite writes what the kernel takes without waiting and returns what it does not.
func (o *outbox) tryWrite(text []byte) []byte {
	if o.socket == nil {
		return text
	}
	return o.socket.writeNow(text)
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
		err := o.write(text)
		o.mu.Lock()
		o.failed = o.failed || err != nil
	}
	o.backlog = nil
	o.writing = false
	o.shorter.Broadcast()
	o.emptied()
}

// write waits until the kernel has taken everything.
func (o *outbox) write(text []byte) (err error) {
	if o.socket != nil {
		_, err = o.socket.TCPConn.Write(text) // which encryption has seen
	} else {
		_, err = o.session.Write(text)
	}
	return err
}

// sendHalf begins to write a frame and stops in the middle, as a process does that dies in a send.
func (o *outbox) sendHalf(f wire.Frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if text := o.text(f); !o.writing && !o.failed {
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
