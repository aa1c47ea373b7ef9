package tcp

import (
	"time"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// way is what a process needs of the way to another one: a connection, or a place in what the carrier takes along.
type way interface {
	// send hands over a message. One to a process that cannot be reached is lost.
	send(f wire.Frame)
	// sendHalf sends the first half of a message, where there is such a thing.
	sendHalf(f wire.Frame)
	// flush has what was sent be on its way even if this process ends, but does not wait for long.
	flush(patience time.Duration)
	// stopWaiting lets nobody wait any more until something has been sent: the run is over.
	stopWaiting()

	// connect prepares the way before there is something to send, and connected says that this is done.
	connect()
	connected() bool
	// close ends the way for good.
	close()

	// setPeer says how the process on the other side is. If it has failed nothing more is sent to it; what it
	// has sent before still comes in.
	setPeer(p peer)
	// drained reports whether nothing will come in any more from a process that has failed.
	drained() bool

	// settled reports whether nothing waits to be sent and nothing comes from former connections, and
	// how much was sent and received.
	settled() (t tally, received int64, ok bool)
	// hasReceived reports whether what the other side has sent has come in, or will never do so.
	hasReceived(theirs tally) bool
}

// makeWays makes those to all processes. That to this one is never used.
func (n *Node) makeWays() {
	for process := range n.cfg.Processes {
		if n.cfg.Carrier != nil {
			n.others = append(n.others, &carried{node: n, process: process})
			continue
		}
		l := n.newLink(process)
		n.links, n.others = append(n.links, l), append(n.others, l)
	}
}
