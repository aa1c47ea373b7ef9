package view_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/internal/viewtest"
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
		"":                       ": want two ranks of 0 to 63, such as 0..63",
		"7":                      "7: want two ranks of 0 to 63, such as 0..63",
		"-1..5":                  "-1..5: want two ranks of 0 to 63, such as 0..63",
		"1..x":                   "1..x: want two ranks of 0 to 63, such as 0..63",
		"1..2..3":                "1..2..3: want two ranks of 0 to 63, such as 0..63",
		"0..9999999999999999999": "0..9999999999999999999: want two ranks of 0 to 63, such as 0..63",
	} {
		_, err := view.ParseRange(text, 64)
		assert.EqualError(t, err, want)
	}
	_, err := view.ParseRange("0..1048575", 1<<20)
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
