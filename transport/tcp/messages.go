package tcp

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// How messages get to ranks: of this process, or to other processes and from there.

// post takes a message to where it goes.
func (n *Node) post(f wire.Frame) {
	if process := n.layout.process(f.To); process != n.cfg.Process {
		n.others[process].send(f)
	} else {
		n.receive(&f)
	}
}

// deliver takes in a frame that another process has sent.
func (n *Node) deliver(process int, f *wire.Frame) error {
	switch {
	case !f.Type.IsMessage():
		return fmt.Errorf("frame of type %d, want %d or %d", f.Type, wire.Message, wire.Late)
	case f.From >= n.cfg.Ranks || n.layout.process(f.From) != process:
		return fmt.Errorf("a message of rank %d, which does not live there", f.From)
	case f.To >= n.cfg.Ranks || n.layout.process(f.To) != n.cfg.Process:
		return fmt.Errorf("a message for rank %d, which does not live here", f.To)
	case f.Kind == protocols.Failed:
		return fmt.Errorf("a message of kind %d, want 0 to %d", f.Kind, protocols.Failed-1)
	case f.Left < 0 || f.Left > maxLeft:
		return fmt.Errorf("a message that left at t=%d, want 0 to %d", f.Left, maxLeft)
	}
	n.receive(f)
	return nil
}

// maxLeft is far from where adding the latency would go wrong.
const maxLeft = clock.Never / 2

// receive gives a message to one of the ranks here.
func (n *Node) receive(f *wire.Frame) {
	r := n.local(f.To)
	l := letter{from: f.From, msg: f.Message}
	r.late.note(n.now() - f.Left - n.latency(f.From, f.To))
	switch {
	case n.cfg.Pace == Model:
		l.at = f.Left + n.latency(f.From, f.To)
		r.box.expect(l)
	case f.Type == wire.Late:
		l.at = max(f.Left, n.now())
		r.box.expect(l)
	default:
		l.at = n.now()
		r.box.receive(l, f.Left)
	}
}

func (n *Node) latency(from, to int) clock.Time {
	if n.cfg.Network == nil {
		return n.cfg.Latency
	}
	return n.cfg.Network.Latency(from, to)
}
