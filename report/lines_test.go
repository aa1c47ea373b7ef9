package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
	}, func(k mailbox.Kind) string { return map[mailbox.Kind]string{1: "tree"}[k] })
	require.NoError(t, err)
	require.Equal(t, `{"t":3,"rank":1,"event":"send","peer":0,"kind":"tree","epoch":2,"a":-4}
{"t":4,"rank":0,"event":"receive","peer":1,"kind":"2","epoch":0,"a":0}
{"t":5,"rank":0,"event":"step","step":"vote"}
{"t":6,"rank":0,"event":"exit"}
`, b.String())
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestEventsThatCannotBeWrittenAreAnError(t *testing.T) {
	require.EqualError(t, report.WriteEvents(brokenPipe{}, make([]report.Event, 1), nil), "broken pipe")
	require.EqualError(t, report.WriteEvents(brokenPipe{}, make([]report.Event, 5000), nil), "broken pipe")
}
