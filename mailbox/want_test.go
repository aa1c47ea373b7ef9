package mailbox_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
)

func TestWantSaysWhatItAccepts(t *testing.T) {
	name := func(k mailbox.Kind) string { return map[mailbox.Kind]string{2: "ack"}[k] }
	require.Equal(t, "any", mailbox.Any.String())
	require.Equal(t, "no message", mailbox.None.String())
	require.Equal(t, "any from 0", mailbox.From(0).String())
	require.Equal(t, "kind=2 from 7", mailbox.From(7).OfKind(2).String())
	require.Equal(t, "kind=ack from 7", mailbox.From(7).OfKind(2).Describe(name))
	require.Equal(t, "kind=3", mailbox.OfKind(3).Describe(name))
	require.Equal(t, "kind=ack..4", mailbox.OfKinds(2, 4).Describe(name))
	for kind, accepted := range []bool{false, false, true, true, true, false} {
		require.Equal(t, accepted, mailbox.OfKinds(2, 4).Accepts(9, mailbox.Kind(kind), 0))
	}
	require.Equal(t, "kind=ack epoch=0..5", mailbox.OfKind(2).UpTo(5).Describe(name))
	require.Equal(t, "any epoch=0", mailbox.Any.UpTo(0).String())
	for epoch, accepted := range map[uint32]bool{0: true, 5: true, 6: false, math.MaxUint32: false} {
		require.Equal(t, accepted, mailbox.Any.UpTo(5).Accepts(9, 2, epoch))
		require.True(t, mailbox.Any.Accepts(9, 2, epoch))
		require.False(t, mailbox.OfKind(3).UpTo(5).Accepts(9, 2, epoch))
	}
	require.Equal(t, "kind=ack from 7 epoch=5", mailbox.From(7).OfEpoch(5).OfKind(2).Describe(name))
	require.Equal(t, "any epoch=0", mailbox.Any.OfEpoch(0).String())
	require.Equal(t, "any epoch=4294967295", mailbox.Any.OfEpoch(math.MaxUint32).String())
	require.Equal(t, "no message", mailbox.None.OfEpoch(5).String())
	for _, epoch := range []uint32{0, 1, 5, math.MaxUint32 - 1, math.MaxUint32} {
		for _, other := range []uint32{0, 1, 4, 5, 6, math.MaxUint32 - 1, math.MaxUint32} {
			require.Equal(t, epoch == other, mailbox.Any.OfEpoch(epoch).Accepts(9, 2, other))
			require.Equal(t, epoch == other, mailbox.OfKinds(1, 2).UpTo(3).OfEpoch(epoch).Accepts(9, 2, other), "the last one counts")
			require.Equal(t, other <= epoch, mailbox.Any.OfEpoch(3).UpTo(epoch).Accepts(9, 2, other), "the last one counts")
			require.False(t, mailbox.From(8).OfEpoch(epoch).Accepts(9, 2, other))
			require.False(t, mailbox.OfKind(3).OfEpoch(epoch).Accepts(9, 2, other))
			require.False(t, mailbox.None.OfEpoch(epoch).Accepts(9, 2, other))
		}
	}
	require.False(t, mailbox.None.Accepts(0, 0, 0))
	require.True(t, mailbox.From(0).Accepts(0, 9, 0))
	require.False(t, mailbox.From(0).Accepts(1, 9, 0))
	require.True(t, mailbox.OfKind(0).Accepts(5, 0, 0))
	require.False(t, mailbox.OfKind(0).Accepts(5, 1, 0))
	_, named := mailbox.None.Sender()
	require.False(t, named)
}

func TestWantOfNoRankIsRefused(t *testing.T) {
	require.PanicsWithValue(t, "mailbox: From(-1), want a rank of 0 or more", func() { mailbox.From(-1) })
}

func TestKindNameFallsBackToTheNumber(t *testing.T) {
	table := func(k mailbox.Kind) string { return []string{"zero", ""}[k] }
	require.Equal(t, "zero", mailbox.KindName(0, table))
	require.Equal(t, "1", mailbox.KindName(1, table))
	require.Equal(t, "200", mailbox.KindName(200, table), "the table panics")
	require.Equal(t, "7", mailbox.KindName(7, nil))
}

// Machines tell each other what ranks wait for.
func TestWantsAsText(t *testing.T) {
	for _, want := range []mailbox.Want{mailbox.Any, mailbox.None, mailbox.From(7), mailbox.OfKinds(3, 9).UpTo(4), mailbox.From(0).OfKind(255), mailbox.From(2).OfEpoch(6), mailbox.OfKind(0).OfEpoch(0)} {
		text, err := want.MarshalText()
		require.NoError(t, err)
		var back mailbox.Want
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, want, back)
	}
	var w mailbox.Want
	require.ErrorContains(t, w.UnmarshalText([]byte("1 2 x 4")), `mailbox: want "1 2 x 4"`)
}
