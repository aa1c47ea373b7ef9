package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
)

func TestEventsAreLinesOfJSON(t *testing.T) {
	var b strings.Builder
	err := report.WriteEvents(&b, []report.Event{
		{Time: 3, Rank: 1, Kind: report.EventSend, Peer: 0, Msg: 1, Epoch: 2, A: -4},
		{Time: 4, Rank: 0, Kind: report.EventReceive, Peer: 1, Msg: 2},
		{Time: 5, Rank: 0, Kind: report.EventStep, Peer: report.NoPeer, Step: "vote"},
		{Time: 6, Rank: 0, Kind: report.EventExit, Peer: report.NoPeer},
		{Time: 7, Rank: 0, Kind: report.EventWrite, Peer: report.NoPeer, Step: "log/1", A: 4},
		{Time: 8, Rank: 0, Kind: report.EventForget, Peer: report.NoPeer, A: 3},
	}, func(k mailbox.Kind) string { return map[mailbox.Kind]string{1: "tree"}[k] })
	require.NoError(t, err)
	require.Equal(t, `{"t":3,"rank":1,"event":"send","peer":0,"kind":"tree","epoch":2,"a":-4}
{"t":4,"rank":0,"event":"receive","peer":1,"kind":"2","epoch":0,"a":0}
{"t":5,"rank":0,"event":"step","step":"vote"}
{"t":6,"rank":0,"event":"exit"}
{"t":7,"rank":0,"event":"write","step":"log/1","ticks":4}
{"t":8,"rank":0,"event":"forget","lost":3}
`, b.String())
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestEventsThatCannotBeWrittenAreAnError(t *testing.T) {
	require.EqualError(t, report.WriteEvents(brokenPipe{}, make([]report.Event, 1), nil), "broken pipe")
	require.EqualError(t, report.WriteEvents(brokenPipe{}, make([]report.Event, 5000), nil), "broken pipe")
}

// What is written can be read, but for names that two kinds have.
func TestEventsAreReadAsTheyWereWritten(t *testing.T) {
	name := func(k mailbox.Kind) string { return map[mailbox.Kind]string{1: "tree", 7: "ack"}[k] }
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) report.Event {
			e := report.Event{Time: 3, Rank: rapid.IntRange(0, 9).Draw(t, "rank"), Peer: report.NoPeer}
			for e.Kind = report.EventLook; e.Kind.OfDecisions(); { // these are in no line
				e.Kind = report.EventKind(rapid.IntRange(0, int(report.EventForget)).Draw(t, "kind"))
			}
			switch {
			case e.Kind.OfStorage():
				e.Step, e.A = rapid.String().Draw(t, "record"), rapid.Int64Range(0, 9).Draw(t, "ticks")
			case e.Kind == report.EventForget:
				e.A = rapid.Int64Range(1, 9).Draw(t, "lost")
			case e.Kind == report.EventStep:
				e.Step = rapid.StringMatching(`[a-z"<\\\\]+`).Draw(t, "step")
			case e.Kind == report.EventSlow:
				e.A = rapid.Int64Range(1, 9).Draw(t, "factor")
			case !e.Kind.OfOneRank():
				e.Peer, e.A = rapid.IntRange(0, 9).Draw(t, "peer"), rapid.Int64().Draw(t, "a")
				e.Msg, e.Epoch = mailbox.Kind(rapid.Byte().Draw(t, "msg")), rapid.Uint32().Draw(t, "epoch")
			}
			return e
		}), 1, 20).Draw(t, "events")
		var b strings.Builder
		require.NoError(t, report.WriteEvents(&b, events, name))
		read, err := report.ReadEvents(strings.NewReader(b.String()), name)
		require.NoError(t, err)
		require.Equal(t, events, read)
	})
}

func TestWhatIsNoEventIsRefused(t *testing.T) {
	const good = `{"t":6,"rank":0,"event":"exit"}` + "\n"
	for text, want := range map[string]string{
		good + `{"t":"six"}`: "report: event 2: json: cannot unmarshal string", good + good + `{`: "report: event 3: unexpected EOF",
		`{"t":1,"rank":0,"event":"dance"}`:                              `report: event 1: "dance" of a message of kind "", which is unknown`,
		`{"t":1,"rank":0,"event":"send","peer":1,"kind":"no such one"}`: `report: event 1: "send" of a message of kind "no such one", which is unknown`,
	} {
		_, err := report.ReadEvents(strings.NewReader(text), nil)
		require.ErrorContains(t, err, want)
	}
	events, err := report.ReadEvents(strings.NewReader(""), nil)
	require.NoError(t, err)
	require.Empty(t, events)
}
