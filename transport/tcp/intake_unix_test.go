//go:build unix

package tcp

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// connectedIntake is where a process takes in what the other one of a pair sends, and that one's side of the session.
func connectedIntake(t *testing.T, pair func(*testing.T) (a, b *wire.Session)) (in *intake, peer *wire.Session) {
	t.Helper()
	n := listening(t, Config{Job: pairOfProcesses()})
	peer, here := pair(t)
	return newIntake(n.links[1], here), peer
}

func toRank0(number int64) *wire.Frame {
	return &wire.Frame{Type: wire.Message, From: 1, To: 0, Message: mailbox.Message{A: number}}
}

// A rank that looks gets what has come, without any goroutine.
func TestRankThatLooksFindsWhatHasCome(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string]func(*testing.T) (a, b *wire.Session){"plain": sessions, "encrypted": secureSessions} {
		in, peer := connectedIntake(t, pair)
		n := in.link.node
		box := n.local(0).box
		require.True(t, in.look())
		require.Empty(t, box.signal, name)
		require.NoError(t, peer.WriteFrame(toRank0(7)))
		require.NoError(t, in.socket.wait())
		require.True(t, in.look())
		require.Len(t, box.signal, 1, name)
		require.EqualValues(t, 7, box.queue[0].msg.A)
		_, received := in.link.tallied()
		require.EqualValues(t, 1, received)
		require.Equal(t, in, n.watch.heard.Load())
	}
}

// A rank that looks reads once: what comes for others, however much, does not keep it. Nothing of it is lost.
func TestRankThatLooksIsNotKept(t *testing.T) {
	t.Parallel()
	const messages = 300
	for name, pair := range map[string]func(*testing.T) (a, b *wire.Session){"plain": sessions, "encrypted": secureSessions} {
		in, peer := connectedIntake(t, pair)
		f := toRank0(7)
		f.Payload = strings.Repeat("x", 1000)
		for range messages {
			require.NoError(t, peer.WriteFrame(f))
		}
		require.NoError(t, in.socket.wait())
		require.True(t, in.look())
		_, first := in.link.tallied()
		require.Less(t, first, int64(messages/2), name)
		for all := first; all < messages; _, all = in.link.tallied() { // some may still be on their way
			require.NoError(t, in.socket.wait())
			require.NoError(t, in.take())
		}
	}
}

// Whoever takes a message in, each is delivered once, in the order in which they were sent.
func TestRanksThatLookDisturbNobody(t *testing.T) {
	t.Parallel()
	const messages = 3000
	for _, pair := range []func(*testing.T) (a, b *wire.Session){sessions, secureSessions} {
		in, peer := connectedIntake(t, pair)
		box := in.link.node.local(0).box
		var wg sync.WaitGroup
		wg.Go(func() { _ = in.run() })
		wg.Go(func() {
			for in.look() {
			}
		})
		for i := range int64(messages) {
			if err := peer.WriteFrame(toRank0(i)); err != nil {
				t.Error(err)
			}
		}
		eventually(t, func() bool { _, all := in.link.tallied(); return all == messages }, "all are received")
		require.NoError(t, peer.Close())
		wg.Wait()
		require.Len(t, box.queue, messages)
		for i, l := range box.queue {
			require.EqualValues(t, i, l.msg.A)
		}
	}
}

// What a rank finds out about a connection while its goroutine waits ends that, with the reason.
func TestRankThatLooksEndsABadConnection(t *testing.T) {
	t.Parallel()
	in, peer := connectedIntake(t, sessions)
	_, err := peer.Write(make([]byte, 100))
	require.NoError(t, err)
	require.NoError(t, in.socket.wait())
	require.False(t, in.look())
	require.ErrorContains(t, in.end(in.socket.wait()), "frame of 0 bytes")
	require.ErrorContains(t, in.run(), "frame of 0 bytes")
}
