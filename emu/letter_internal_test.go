package emu

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// Letters arrive as they were written, and those with little in them are short.
func TestLettersArriveAsTheyWereWritten(t *testing.T) {
	all := []letter{
		{to: 1, from: 2, at: 3},
		{to: math.MaxInt32 - 1, from: math.MaxInt32 - 2, at: clock.Forever, again: true, msg: mailbox.Message{Kind: 255, Epoch: math.MaxUint32, A: math.MinInt64, Payload: strings.Repeat("x", 70000)}},
		{msg: mailbox.Message{A: math.MaxInt64}},
		{msg: mailbox.Message{Epoch: 1}},
		{again: true},
		{msg: mailbox.Message{Kind: 7, Payload: "a"}},
	}
	var batch []byte
	for i := range all {
		l := &all[i]
		batch = appendLetter(batch, l.to, int32(l.from), l.at, &l.msg, l.again)
		if i == 0 {
			require.Len(t, batch, 11)
		}
	}
	in := reader(batch)
	for i := range all {
		require.Equal(t, all[i], in.letter(), i)
	}
	require.Empty(t, in)
}
