package proctest

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// receipt is a message as its receiver saw it.
type receipt struct {
	At   clock.Time
	From int
	Msg  mailbox.Message
}

// String reads like "t=4 from 1: {Kind:0 Epoch:0 A:7 Payload:"", 0 bytes}".
func (r receipt) String() string {
	return fmt.Sprintf("t=%d from %d: %s", r.At, r.From, outline(r.Msg))
}

// outline prints a message with the beginning of its payload, which may be long.
func outline(m mailbox.Message) string {
	return fmt.Sprintf("{Kind:%d Epoch:%d A:%d Payload:%.16q, %d bytes}", m.Kind, m.Epoch, m.A, m.Payload, len(m.Payload))
}

// number is a message that carries a number.
func number(n int) mailbox.Message { return mailbox.Message{A: int64(n)} }

func receive(p protocols.Proc, want mailbox.Want) receipt {
	from, msg := p.Recv(want)
	return receipt{p.Now(), from, msg}
}

// receiveMany receives n messages of any kind.
func receiveMany(p protocols.Proc, n int) []receipt {
	var all []receipt
	for range n {
		all = append(all, receive(p, mailbox.Any))
	}
	return all
}

// receiveUntil receives what comes until t.
func receiveUntil(p protocols.Proc, t clock.Time) []receipt {
	var all []receipt
	for {
		from, msg, ok := p.RecvUntil(mailbox.Any, t)
		if !ok {
			return all
		}
		all = append(all, receipt{p.Now(), from, msg})
	}
}

func times(all []receipt) []clock.Time {
	return project(all, func(r receipt) clock.Time { return r.At })
}

func senders(all []receipt) []int {
	return project(all, func(r receipt) int { return r.From })
}

func values(all []receipt) []int64 {
	return project(all, func(r receipt) int64 { return r.Msg.A })
}

func project[T any](all []receipt, of func(receipt) T) []T {
	list := []T{}
	for _, r := range all {
		list = append(list, of(r))
	}
	return list
}
