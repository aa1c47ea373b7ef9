package report

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// eventLine is an event in JSON. What concerns a message is there only if the event does.
type eventLine struct {
	Time  clock.Time `json:"t"`
	Rank  int        `json:"rank"`
	Event string     `json:"event"`
	*messageOfLine
	Step string `json:"step,omitempty"`
}

type messageOfLine struct {
	Peer  int    `json:"peer"`
	Kind  string `json:"kind"`
	Epoch uint32 `json:"epoch"`
	A     int64  `json:"a"`
}

// WriteEvents writes events as lines of JSON, with the names that a program has for its kinds of messages.
func WriteEvents(w io.Writer, events []Event, kindName func(mailbox.Kind) string) error {
	b := bufio.NewWriterSize(w, 1<<16)
	encoder := json.NewEncoder(b)
	for _, e := range events {
		line := eventLine{Time: e.Time, Rank: e.Rank, Event: e.Kind.String(), Step: e.Step}
		if e.Peer != NoPeer {
			line.messageOfLine = &messageOfLine{e.Peer, mailbox.KindName(e.Msg, kindName), e.Epoch, e.A}
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return b.Flush()
}
