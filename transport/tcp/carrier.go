package tcp

import (
	"context"
	"sync"
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// Carrier takes messages of ranks from process to process in place of connections: an MPI library, for example.
// What processes and the coordinator tell each other goes over TCP in any case.
//
// It knows processes by the numbers that they have in the job, carries what one process sends to another in the order in which that was
// sent, and loses nothing unless the sender or the receiver ends.
type Carrier interface {
	// Send gives a message to another process. It waits for nobody and does not keep the message.
	Send(process int, message []byte) error
	// Receive hands over what comes, one message after the other, until the context ends or it can go on no more. A message is good until deliver returns.
	Receive(ctx context.Context, deliver func(process int, message []byte)) error
	// Flush waits until another process has received all that was sent to it, or the context ends.
	Flush(ctx context.Context, process int)
	// Forget is about a process that takes nothing any more.
	Forget(process int)
}

// carried is the way to another process that a carrier goes.
type carried struct {
	node    *Node
	process int

	mu       sync.Mutex // held while a message is given to the carrier, so that all leave in the order in which they are counted
	gone     bool       // the other side has failed: nothing more goes there
	said     bool       // it has said so itself, when all that it had sent had been received
	greeted  bool       // by the other side
	tally    tally
	failing  bool   // a message could not be sent
	text     []byte // of the last one, to be used again
	quiet    int    // how often somebody has looked since something came from a process that has failed
	received int64  // when somebody last looked
}

// carriage is the number of the one connection that a carrier is.
const carriage = 1

// give has the carrier take a message.
func (c *carried) give(f *wire.Frame) {
	c.text = c.node.cfg.AppendBare(c.text[:0], f)
	if err := c.node.cfg.Carrier.Send(c.process, c.text); err != nil && !c.failing {
		c.failing = true // all that follows is likely to fail, too
		c.node.logf("process %d: message lost: %v", c.process, err)
	}
}

func (c *carried) send(f wire.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return
	}
	c.tally.Connection = carriage
	c.tally.Sent++
	c.give(&f)
}

// sendHalf sends nothing: a carrier takes all of a message or nothing.
func (c *carried) sendHalf(wire.Frame) {}

func (c *carried) flush(patience time.Duration) {
	c.mu.Lock()
	idle := c.gone || c.tally.Sent == 0
	c.mu.Unlock()
	if idle || c.process == c.node.cfg.Process {
		return
	}
	ctx, cancel := context.WithTimeout(c.node.open, patience)
	defer cancel()
	c.node.cfg.Carrier.Flush(ctx, c.process)
}

func (c *carried) stopWaiting() {}

// connect greets the other side, so that the carrier has done by then what it does for the first message.
func (c *carried) connect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.give(&wire.Frame{Type: wire.Welcome})
}

// welcome takes notice of a greeting, and greets back if the other side is the one that begins.
func (c *carried) welcome() {
	c.mu.Lock()
	c.greeted = true
	c.mu.Unlock()
	if c.process < c.node.cfg.Process {
		c.connect()
	}
}

func (c *carried) connected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.greeted
}

func (c *carried) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone = true
}

func (c *carried) setPeer(p peer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.Failed && !c.gone {
		c.gone = true
		c.node.cfg.Carrier.Forget(c.process)
	}
	c.said = p.Said
}

// enoughQuiet is how many looks without anything new mean that nothing more will come from a process that was killed: what it has sent before is
// where the carrier looks all the time, or is lost.
const enoughQuiet = int(50 * time.Millisecond / lookPause)

func (c *carried) drained() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.gone || c.said {
		return true
	}
	if c.quiet++; c.tally.Received != c.received {
		c.quiet, c.received = 0, c.tally.Received
	}
	return c.quiet >= enoughQuiet
}

func (c *carried) settled() (t tally, received int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tally, c.tally.Received, true
}

func (c *carried) hasReceived(theirs tally) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tally.Received >= theirs.Sent
}

// receiveCarried takes in what the carrier brings, until the node is closed.
func (n *Node) receiveCarried() {
	err := n.cfg.Carrier.Receive(n.open, func(process int, text []byte) {
		f, err := n.cfg.ParseBare(text)
		if err == nil {
			err = n.takeCarried(process, &f)
		}
		if err != nil {
			n.logf("a message of process %d dropped: %v", process, err)
		}
	})
	if err != nil {
		n.finish(err)
	}
}

// takeCarried takes in one message. Others may have begun before this process knows that the run does.
func (n *Node) takeCarried(process int, f *wire.Frame) error {
	c := n.others[process].(*carried)
	if f.Type == wire.Welcome {
		c.welcome()
		return nil
	}
	select {
	case <-n.ready:
	case <-n.over:
	}
	if err := n.deliver(process, f); err != nil {
		return err
	}
	c.mu.Lock()
	c.tally.Connection = carriage
	c.tally.Received++
	c.mu.Unlock()
	n.changed()
	return nil
}
