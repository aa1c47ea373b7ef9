package buntinas

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// anyPlaces draws some of the places below clock.MaxRanks.
func anyPlaces(t *rapid.T) places {
	list := rapid.SliceOfNDistinct(rapid.IntRange(0, clock.MaxRanks-1), 0, 20, rapid.ID[int]).Draw(t, "failed")
	slices.Sort(list)
	return list
}

func TestWhatIsPackedIsUnpacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		msg := mailbox.Message{
			Kind: Down, Epoch: rapid.Uint32().Draw(t, "epoch"), A: rapid.Int64().Draw(t, "A"), Payload: rapid.String().Draw(t, "payload"),
		}
		if rapid.Bool().Draw(t, "no integer") {
			msg.A = 0
		}
		attempt, end := rapid.IntRange(1, clock.MaxRanks).Draw(t, "attempt"), rapid.IntRange(1, clock.MaxRanks).Draw(t, "end")
		failed := anyPlaces(t)
		down := pack(msg, attempt, end, failed)
		require.Equal(t, attempt, attemptOf(down))
		require.LessOrEqual(t, len(down.Payload), len(msg.Payload)+header(len(failed)))
		gotMsg, gotEnd, gotFailed := unpack(down)
		require.Equal(t, msg, gotMsg)
		require.Equal(t, end, gotEnd)
		require.True(t, slices.Equal(failed, gotFailed))

		refused := refusal(msg.Epoch, attempt, failed)
		require.Equal(t, attempt, attemptOf(refused))
		r := varint.Reader{Rest: refused.Payload}
		require.True(t, slices.Equal(failed, r.List()))
		require.Empty(t, r.Rest)
	})
}

// All ranks share the payload, as long as there is nothing to add.
func TestPayloadsAreExtendedIfNeedBeOnly(t *testing.T) {
	plain := mailbox.Message{Payload: "news"}
	require.Equal(t, "news", pack(plain, 1, 9, nil).Payload)
	require.NotEqual(t, "news", pack(plain, 1, 9, places{3}).Payload)
	require.NotEqual(t, "news", pack(mailbox.Message{A: 1, Payload: "news"}, 1, 9, nil).Payload)
}

func TestBrokenListsPanic(t *testing.T) {
	require.Panics(t, func() { unpack(mailbox.Message{A: extendedBit}) })
	require.Panics(t, func() { unpack(mailbox.Message{A: extendedBit, Payload: "\x00\x03\x01"}) })
}

// Sets of places do what sets do.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s places
		set := make(map[int]bool)
		for _, more := range rapid.SliceOf(rapid.SliceOf(rapid.IntRange(0, 30))).Draw(t, "added") {
			s = s.with(more...)
			for _, place := range more {
				set[place] = true
			}
		}
		require.True(t, slices.IsSorted(s))
		require.Len(t, s, len(set))
		low, high := rapid.IntRange(0, 30).Draw(t, "low"), rapid.IntRange(0, 30).Draw(t, "high")
		high = max(low, high)
		for place := range 31 {
			require.Equal(t, set[place], s.has(place))
			require.Equal(t, set[place] && low <= place && place < high, s.between(low, high).has(place))
		}
	})
}
