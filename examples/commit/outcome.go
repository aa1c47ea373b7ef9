package commit

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Outcome is what a rank has decided.
type Outcome uint8

const (
	Undecided Outcome = iota
	Aborted
	Committed
)

func (o Outcome) String() string { return [...]string{"undecided", "aborted", "committed"}[o] }

// phase is how long a rank waits for others to act upon a message: ample time to send to all of them and to hear from all.
const phase = 20 // ticks

// tellOthers sends a message without content to everybody else.
func tellOthers(p protocols.Proc, kind mailbox.Kind) {
	for rank := range p.Size() {
		if rank != p.Rank() {
			p.Send(rank, mailbox.Message{Kind: kind})
		}
	}
}
