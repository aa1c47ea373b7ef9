package decide

import (
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Conversation has rank 0 ask and rank 1 answer. Rank 2 leaves what it has read.
func Conversation(read *[]string) protocols.Program {
	return protocols.Program{Main: func(p protocols.Proc) {
		switch p.Rank() {
		case 0:
			p.Send(2, mailbox.Message{Payload: "question"})
			p.Send(1, mailbox.Message{Payload: "question"})
		case 1:
			p.Recv(mailbox.From(0))
			p.Send(2, mailbox.Message{Payload: "answer"})
		case 2:
			for from := range 2 {
				_, m := p.Recv(mailbox.From(from))
				*read = append(*read, m.Payload)
			}
		}
	}}
}
