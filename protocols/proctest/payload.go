package proctest

import (
	"fmt"
	"math"
	"strings"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

var payloadCases = []Case{
	{Name: "a message keeps all bits of its header", on: simple(2), check: headerKeepsBits},
	{Name: "a payload arrives unchanged", on: simple(3), check: payloadArrivesUnchanged},
	{Name: "a payload does not change while later messages come in", on: simple(2), check: payloadStays},
	{Name: "a message without payload arrives without one, whatever came before", on: simple(2), check: payloadsDoNotLeak},
}

// arrive sends messages from rank 0 to all others, and checks that each receives what was sent. It does so when
// everything has been received, which is too late if the machine uses its buffers again, and does not print
// payloads, which may be long.
func arrive(c *checker, sent []mailbox.Message) {
	got := gather(c, func(p protocols.Proc) (received []mailbox.Message) {
		for _, m := range sent {
			if p.Rank() > 0 {
				_, got := p.Recv(mailbox.Any)
				received = append(received, got)
				continue
			}
			for to := 1; to < c.Ranks; to++ {
				p.Send(to, m)
			}
		}
		return received
	})
	for _, received := range got {
		for i, m := range received {
			if m != sent[i] {
				c.errorf("message %d of %d: got %s, want %s", i+1, len(sent), outline(m), outline(sent[i]))
			}
		}
	}
}

func headerKeepsBits(c *checker) {
	var sent []mailbox.Message
	for _, a := range []int64{0, 1, -1, math.MaxInt32 + 1, math.MinInt32 - 1, 1<<53 + 1, math.MaxInt64, math.MinInt64} {
		sent = append(sent, mailbox.Message{A: a})
	}
	for bit := range 64 {
		sent = append(sent, mailbox.Message{A: 1 << bit})
	}
	for bit := range 32 {
		sent = append(sent, mailbox.Message{Epoch: 1 << bit})
	}
	for kind := range protocols.Failed {
		sent = append(sent, mailbox.Message{Kind: kind})
	}
	sent = append(sent, mailbox.Message{Kind: protocols.Failed - 1, Epoch: math.MaxUint32, A: -1, Payload: "all of it"})
	arrive(c, sent)
}

func payloadArrivesUnchanged(c *checker) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	var sent []mailbox.Message
	for _, payload := range []string{
		"", "x", "\x00", "\x00\x00\xff", "\xc3\x28 is not UTF-8", "Grüße\r\n",
		string(every), strings.Repeat(string(every), 1<<20/len(every)), "after the long one",
	} {
		sent = append(sent, mailbox.Message{Payload: payload})
	}
	arrive(c, sent)
}

func payloadStays(c *checker) {
	var sent []mailbox.Message
	for i := range 50 {
		sent = append(sent, mailbox.Message{Payload: fmt.Sprintf("payload %d", i)})
	}
	arrive(c, sent)
}

// Two ranks pass messages back and forth, so that whatever a machine uses again it does
// use again.
func payloadsDoNotLeak(c *checker) {
	const rounds = 30
	message := func(round int) mailbox.Message {
		if round%3 == 0 {
			return mailbox.Message{A: int64(round), Payload: "only in this round"}
		}
		return number(round)
	}
	got := gather(c, func(p protocols.Proc) []mailbox.Message {
		var received []mailbox.Message
		for round := range rounds {
			if round%2 == p.Rank() {
				p.Send(1-p.Rank(), message(round))
				continue
			}
			_, m := p.Recv(mailbox.Any)
			received = append(received, m)
		}
		return received
	})
	for rank, received := range got {
		for i, m := range received {
			if want := message(2*i + 1 - rank); m != want {
				c.errorf("rank %d received %s, want %s", rank, outline(m), outline(want))
			}
		}
	}
}
