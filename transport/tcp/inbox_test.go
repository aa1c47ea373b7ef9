package tcp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
)

// instantly is a port that takes no time, so that messages are received when they arrive.
var instantly clock.Costs

// received are the messages that a rank can read, in the order in which it gets them.
func (b *inbox) received() (all []letter) {
	for {
		l, ok := b.take(mailbox.Any)
		if !ok {
			return all
		}
		all = append(all, l)
	}
}

// The network brings messages of different senders in any order. By the model those that arrive at one
// instant are received by sender, and those of one sender in the order in which it has sent them.
func TestMessagesOfOneInstantAreReceivedBySender(t *testing.T) {
	arrival := map[int]clock.Time{7: 3, 0: 5, 2: 5, 9: 5, 1: 6} // by sender
	var want []letter
	for _, sender := range []int{7, 0, 2, 9, 1} {
		for number := range int64(3) {
			want = append(want, letter{from: sender, at: arrival[sender], msg: mailbox.Message{A: number}})
		}
	}
	senders := []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 7, 7, 7, 9, 9, 9}
	random := rand.New(rand.NewPCG(1, 0))
	for range 100 {
		b, sent := newInbox(func() {}), make(map[int]int64)
		random.Shuffle(len(senders), func(i, j int) { senders[i], senders[j] = senders[j], senders[i] })
		for _, from := range senders {
			b.expect(letter{from: from, at: arrival[from], msg: mailbox.Message{A: sent[from]}})
			sent[from]++
		}
		require.Equal(t, clock.Never, b.settle(10, &instantly))
		require.Equal(t, want, b.received())
	}
}

// The receive port takes one message at a time, and a rank gets those only that are received by now.
func TestMessagesAreReceivedOneAfterTheOther(t *testing.T) {
	machine := clock.LogP{Ranks: 4, Latency: 2, Overhead: 3}
	costs := machine.Costs()
	b := newInbox(func() {})
	for _, from := range []int{2, 1, 3} {
		b.expect(letter{from: from, at: 10})
	}
	require.EqualValues(t, 13, b.settle(12, &costs))
	require.Empty(t, b.received())
	require.EqualValues(t, 16, b.settle(13, &costs))
	require.Equal(t, []letter{{from: 1, at: 13}}, b.received())
	require.Equal(t, clock.Never, b.settle(19, &costs))
	require.Equal(t, []letter{{from: 2, at: 16}, {from: 3, at: 19}}, b.received())
	first, last := b.span()
	require.EqualValues(t, 13, first)
	require.EqualValues(t, 19, last)
}

// A rank takes the first message that it wants, wherever that is, and leaves the others in their order.
func TestWhatIsNotWantedYetKeepsItsPlace(t *testing.T) {
	senders := []int{4, 2, 5, 2, 3}
	for _, wanted := range senders {
		b := newInbox(func() {})
		for i, from := range senders {
			b.receive(letter{from: from, at: clock.Time(i)}, 0)
		}
		at := slices.Index(senders, wanted)
		l, ok := b.take(mailbox.From(wanted))
		require.True(t, ok)
		require.Equal(t, letter{from: wanted, at: clock.Time(at)}, l)
		var left []int
		for _, l := range b.received() {
			left = append(left, l.from)
		}
		require.Equal(t, slices.Delete(slices.Clone(senders), at, at+1), left)
	}
}
