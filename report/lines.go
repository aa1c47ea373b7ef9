package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// eventLine is an event in JSON. What concerns a message is there only if the event does.
type eventLine struct {
	Time  clock.Time `json:"t"`
	Rank  int        `json:"rank"`
	Event string     `json:"event"`
	*messageOfLine
	Step   string `json:"step,omitempty"`
	Factor int64  `json:"factor,omitempty"` // of a slow-down
	Ticks  int64  `json:"ticks,omitempty"`  // that something with storage took
	Lost   int64  `json:"lost,omitempty"`   // changes that were forgotten
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
		switch {
		case e.Kind == EventSlow:
			line.Factor = e.A
		case e.Kind.OfStorage():
			line.Ticks = e.A
		case e.Kind == EventForget:
			line.Lost = e.A
		}
		if e.Peer != NoPeer {
			line.messageOfLine = &messageOfLine{e.Peer, mailbox.KindName(e.Msg, kindName), e.Epoch, e.A}
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return b.Flush()
}

// ReadEvents reads what WriteEvents has written, until there is no more.
func ReadEvents(r io.Reader, kindName func(mailbox.Kind) string) (events []Event, err error) {
	kinds := make(map[string]mailbox.Kind)
	for k := 255; k >= 0; k-- { // of two with one name it is the first
		kinds[mailbox.KindName(mailbox.Kind(k), kindName)] = mailbox.Kind(k)
	}
	for decoder := json.NewDecoder(r); ; {
		line := eventLine{messageOfLine: &messageOfLine{Peer: NoPeer}}
		if err := decoder.Decode(&line); errors.Is(err, io.EOF) {
			return events, nil
		} else if err != nil {
			return nil, fmt.Errorf("report: event %d: %w", len(events)+1, err)
		}
		kind := slices.Index(eventNames[:], line.Event)
		msg, known := kinds[line.Kind]
		if kind < 0 || line.Peer != NoPeer && !known {
			return nil, fmt.Errorf("report: event %d: %q of a message of kind %q, which is unknown", len(events)+1, line.Event, line.Kind)
		}
		if line.Peer == NoPeer {
			msg = 0
		}
		events = append(events, Event{Time: line.Time, Rank: line.Rank, Peer: line.Peer, Step: line.Step, A: line.A + line.Factor + line.Ticks + line.Lost, Epoch: line.Epoch, Msg: msg, Kind: EventKind(kind)})
	}
}
