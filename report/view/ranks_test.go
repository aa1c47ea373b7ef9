package view_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/internal/viewtest"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/report/view"
)

func TestParseRange(t *testing.T) {
	for _, text := range []string{"0..63", "0..0", "63..63", "10..20"} {
		r, err := view.ParseRange(text, 64)
		require.NoError(t, err)
		assert.Equal(t, text, r.String())
	}
	for text, want := range map[string]string{
		"5..2":                   "5..2: the first rank is above the last, want two ranks of 0 to 63 in ascending order",
		"0..64":                  "0..64: want ranks of 0 to 63",
		"64..99":                 "64..99: want ranks of 0 to 63",
		"64..5":                  "64..5: want ranks of 0 to 63",
		"":                       ": want two ranks of 0 to 63, such as 0..63",
		"7":                      "7: want two ranks of 0 to 63, such as 0..63",
		"-1..5":                  "-1..5: want two ranks of 0 to 63, such as 0..63",
		"1..x":                   "1..x: want two ranks of 0 to 63, such as 0..63",
		"1..2..3":                "1..2..3: want two ranks of 0 to 63, such as 0..63",
		"0x1..5":                 "0x1..5: want two ranks of 0 to 63, such as 0..63",
		"1..0x5":                 "1..0x5: want two ranks of 0 to 63, such as 0..63",
		"0..9999999999999999999": "0..9999999999999999999: want two ranks of 0 to 63, such as 0..63",
	} {
		_, err := view.ParseRange(text, 64)
		assert.EqualError(t, err, want)
	}
	_, err := view.ParseRange("1..16384", 1<<20)
	assert.NoError(t, err, "as many as are drawn at most")
	_, err = view.ParseRange("0..16384", 1<<20)
	assert.EqualError(t, err, "0..16384: 16385 ranks, want up to 16384 of 0 to 1048575")
	_, err = view.ParseRange("0..1048575", 1<<20)
	assert.EqualError(t, err, "0..1048575: 1048576 ranks, want up to 16384 of 0 to 1048575")
}

func TestDefaultRangeIsAllOfASmallMachineAndSomeOfALargeOne(t *testing.T) {
	for ranks, last := range map[int]int{1: 0, 64: 63, 4096: 4095, 4097: 255, 1 << 20: 255} {
		assert.Equal(t, view.Range{First: 0, Last: last}, view.DefaultRange(ranks))
	}
}

func TestARangeThatTheRunDoesNotHaveIsAnError(t *testing.T) {
	run := viewtest.OfToken(t, 4, "none")
	for _, r := range []view.Range{{First: -1, Last: 2}, {First: 0, Last: 4}, {First: 3, Last: 2}} {
		run.Ranks = r
		assert.ErrorContains(t, view.Write(&strings.Builder{}, run), "view: ranks "+r.String())
	}
}

// The token comes to ranks 3 and 4 through 0, 1 and 2.
func TestTheTreeOfARangeHasTheRanksAboveIt(t *testing.T) {
	run := viewtest.OfToken(t, 6, "none")
	run.Ranks = view.Range{First: 3, Last: 4}
	d := dataOf(t, run)
	assert.Equal(t, view.Column{2, 3}, d.Ranks.By)
	assert.Equal(t, view.Ancestors{Count: 3, Rank: view.Column{0, 1, 2}, Coloured: view.Column{0, 4, 8}, By: view.Column{-1, 0, 1}}, d.Above)
	assert.Equal(t, view.Column{2, 3, 4}, d.Messages.From, "messages with an end in the range")
	assert.Equal(t, 2, d.Steps.Count)
	assert.EqualValues(t, 6, sum(d.Curves.Sent), "curves are about all ranks")
	require.Len(t, d.LeftOut, 1)
	assert.Contains(t, d.LeftOut[0], "Ranks 3 to 4 of 6 are drawn")
}

func TestALimitLeavesOutWhatComesLaterAndSaysSo(t *testing.T) {
	run := viewtest.OfLine(t, "broadcast P=64 faults=crash:60@t20")
	whole := dataOf(t, run)
	run.Limit = 100
	d := dataOf(t, run)
	assert.Equal(t, 100, d.Messages.Count+d.Steps.Count+d.Notices.Count)
	left := whole.Messages.Count + whole.Steps.Count - 100
	require.Len(t, d.LeftOut, 1)
	assert.Regexp(t, `^From t=\d+ on, `, d.LeftOut[0])
	assert.Contains(t, d.LeftOut[0], strconv.Itoa(left)+" messages, notices and steps are not drawn: a page has room for 100.")
	assert.Equal(t, whole.Curves, d.Curves)
	assert.Equal(t, whole.Turns, d.Turns, "failures are never left out")
	assert.Equal(t, whole.Ranks, d.Ranks)
	for i := range d.Messages.Count {
		assert.Equal(t, whole.Messages.From[i], d.Messages.From[i])
		assert.Equal(t, whole.Messages.Fate[i], d.Messages.Fate[i], "what became of it is known")
	}
}

// A rank fares as it does, whoever else is drawn.
func TestRanksOfARangeFareAsInTheWhole(t *testing.T) {
	for _, line := range []string{"broadcast P=24 faults=crash:9@send1,hang:12@t9", "gossip P=24 faults=crash:~3", "reduce P=24"} {
		run := viewtest.OfLine(t, line)
		all := dataOf(t, run)
		run.Ranks = view.Range{First: 12, Last: 15}
		assert.Equal(t, all.Curves, dataOf(t, run).Curves, "curves are about all ranks")
		run.Ranks = view.Range{First: 8, Last: 15}
		whole, some := all.Ranks, dataOf(t, run).Ranks
		assert.Equal(t, whole.Outcome[8:16], some.Outcome, line)
		assert.Equal(t, whole.Coloured[8:16], some.Coloured, line)
		assert.Equal(t, whole.Exit[8:16], some.Exit, line)
		assert.Equal(t, whole.By[8:16], some.By, line)
		assert.Equal(t, whole.Sent[8:16], some.Sent, line)
		assert.Equal(t, whole.Received[8:16], some.Received, line)
		assert.Positive(t, sum(some.Sent), line)
	}
}

// Where nothing is spread there is no tree, whoever is drawn.
func TestNobodyIsAboveRanksThatAreNotColoured(t *testing.T) {
	run := viewtest.OfToken(t, 6, "none")
	run.Ranks, run.Uncoloured = view.Range{First: 3, Last: 4}, true
	d := dataOf(t, run)
	assert.False(t, d.Spreads)
	assert.Zero(t, d.Above.Count)
}

// The token comes to the last rank through all others, more than a tree has room for.
func TestALongTreeIsCutOff(t *testing.T) {
	run := viewtest.OfToken(t, 5000, "none")
	run.Ranks = view.Range{First: 4999, Last: 4999}
	d := dataOf(t, run)
	assert.Equal(t, 4096, d.Above.Count)
	assert.EqualValues(t, 4998, d.Above.Rank[4095], "those nearest to the range")
	assert.EqualValues(t, 903, d.Above.Rank[0])
}

// Ranks that send before they have received anything colour each other at the same instant. Neither is above the other.
func TestRanksThatColourEachOtherAreNoTree(t *testing.T) {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}, Trace: emu.TraceEvents})
	require.NoError(t, err)
	rep, err := machine.Run(t.Context(), protocols.Program{Main: func(p protocols.Proc) {
		p.Send(1-p.Rank(), mailbox.Message{})
		p.Recv(mailbox.Any)
	}}, emu.Options{})
	require.NoError(t, err)
	run := view.Run{Run: traceevent.Run{Report: rep}, Ranks: view.Range{First: 1, Last: 1}}
	d := dataOf(t, run)
	assert.Equal(t, view.Column{0}, d.Ranks.By)
	assert.Zero(t, d.Above.Count)
}

// Each rank passes the token at an instant of its own: it takes a step, and sends.
func TestWhatIsLeftOutIsCountedFromItsFirstInstantOn(t *testing.T) {
	const rest = " messages, notices and steps are not drawn: a page has room for %d. Choose fewer ranks with --ranks a..b."
	for limit, said := range map[int]string{
		1: "From t=0 on, 11" + rest, 2: "From t=4 on, 10" + rest, 3: "From t=4 on, 9" + rest, 4: "From t=8 on, 8" + rest, 11: "From t=20 on, 1" + rest,
	} {
		run := viewtest.OfToken(t, 6, "none")
		run.Limit = limit
		d := dataOf(t, run)
		assert.Equal(t, []string{fmt.Sprintf(said, limit)}, d.LeftOut)
		assert.Equal(t, limit, d.Messages.Count+d.Steps.Count)
	}
	run := viewtest.OfToken(t, 6, "none")
	run.Limit = 12
	assert.Empty(t, dataOf(t, run).LeftOut)
}

// A message that its sender fails in takes room, too.
func TestUnsentMessagesAreLeftOutLikeOthers(t *testing.T) {
	run := viewtest.OfToken(t, 6, "crash:3@send1") // four steps, three messages and one that is not sent
	for limit, unsent := range map[int]int{8: 1, 7: 0} {
		run.Limit = limit
		d := dataOf(t, run)
		assert.Equal(t, 3+unsent, d.Messages.Count)
		assert.Len(t, d.LeftOut, 1-unsent)
	}
}

// So does a notice.
func TestNoticesAreLeftOutLikeOthers(t *testing.T) {
	run := viewtest.OfLine(t, "bfb P=8 faults=crash:4@t3")
	whole := dataOf(t, run)
	require.Positive(t, whole.Notices.Count)
	all := whole.Messages.Count + whole.Steps.Count + whole.Notices.Count
	for limit := 1; limit <= all; limit++ {
		run.Limit = limit
		d := dataOf(t, run)
		require.Equal(t, limit, d.Messages.Count+d.Steps.Count+d.Notices.Count)
		if limit == all {
			require.Empty(t, d.LeftOut)
		} else {
			require.Contains(t, d.LeftOut[0], fmt.Sprintf(", %d messages", all-limit))
		}
	}
}

func TestAPageHasRoomForManyThingsByDefault(t *testing.T) {
	run := viewtest.OfLine(t, "broadcast P=256 repeat=8")
	require.Greater(t, run.Report.Messages, int64(10_000))
	d := dataOf(t, run)
	assert.Empty(t, d.LeftOut)
	assert.EqualValues(t, run.Report.Messages, d.Messages.Count)
}
