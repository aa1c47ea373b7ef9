//go:build unix

package tcp

import (
	"crypto/tls"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// socketPair returns both sides of a connection.
func socketPair(t *testing.T) (a, b *socket) {
	t.Helper()
	l, err := net.Listen("tcp", loopback)
	require.NoError(t, err)
	defer l.Close()
	var wg sync.WaitGroup
	wg.Go(func() {
		if conn, err := l.Accept(); err == nil {
			b = newSocket(conn).(*socket)
		}
	})
	conn, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	a = newSocket(conn).(*socket)
	wg.Wait()
	require.NotNil(t, b)
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// secureSessions returns both sides of an encrypted session.
func secureSessions(t *testing.T) (a, b *wire.Session) {
	t.Helper()
	job := Job{Job: wire.NewJob(), Encrypt: true}
	config, err := job.encryption()
	require.NoError(t, err)
	one, other := socketPair(t)
	h := wire.Handshake{Job: job.Job}
	var wg sync.WaitGroup
	wg.Go(func() {
		if s, err := h.Accept(tls.Server(other, config)); err == nil && s.Welcome() == nil {
			b = s
		}
	})
	a, err = h.Connect(tls.Client(one, config))
	require.NoError(t, err)
	wg.Wait()
	require.NotNil(t, b)
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// Who does not wait gets what has come, and the end when it has.
func TestSocketIsReadWithoutWaiting(t *testing.T) {
	t.Parallel()
	a, b := socketPair(t)
	b.eager = true
	text := make([]byte, 4)
	_, err := b.Read(text)
	require.Equal(t, wire.ErrNotYet, err)
	_, err = a.TCPConn.Write([]byte("123456"))
	require.NoError(t, err)
	for _, want := range []string{"1234", "56"} {
		require.NoError(t, b.wait())
		n, err := b.Read(text)
		require.NoError(t, err)
		require.Equal(t, want, string(text[:n]))
	}
	for range 2 { // the kernel is not asked the first time
		_, err = b.Read(text)
		require.Equal(t, wire.ErrNotYet, err)
	}
	require.NoError(t, a.Close())
	require.NoError(t, b.wait())
	_, err = b.Read(text)
	require.Equal(t, io.EOF, err)
	require.NoError(t, b.Close())
	require.ErrorIs(t, b.wait(), net.ErrClosed)
	_, err = b.Read(text)
	require.ErrorIs(t, err, net.ErrClosed)
}

// Why a connection has ended is said once by the kernel, and not lost.
func TestSocketSaysWhyItsConnectionHasEnded(t *testing.T) {
	t.Parallel()
	a, b := socketPair(t)
	require.NoError(t, a.SetLinger(0))
	require.NoError(t, a.Close())
	require.ErrorIs(t, b.wait(), syscall.ECONNRESET)
}

// A message is given to the kernel by who sends it, be it encrypted or not, so that it is on its way whatever happens to the process.
// Half a message is none.
func TestSenderItselfWrites(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string]func(*testing.T) (a, b *wire.Session){"plain": sessions, "encrypted": secureSessions} {
		a, b := pair(t)
		o := newOutbox(a, func() { t.Error("a goroutine has written") })
		for i := range int64(100) {
			o.send(wire.Frame{Type: wire.Message, Message: mailbox.Message{A: i}}, wire.Frame{Type: wire.Message, Message: mailbox.Message{A: -i}})
			require.True(t, o.empty(), name)
			for _, want := range []int64{i, -i} {
				f, err := b.ReadFrame()
				require.NoError(t, err)
				require.Equal(t, want, f.A)
			}
		}
		o.sendHalf(wire.Frame{Type: wire.Message})
		require.NoError(t, a.Close())
		_, err := b.ReadFrame()
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, name)
	}
}

// What the kernel does not take at once follows in order, also if it is encrypted, and the end of the connection is the usual one.
func TestEncryptedOutboxDoesNotWaitForTheOtherSide(t *testing.T) {
	t.Parallel()
	a, b := secureSessions(t)
	o := newOutbox(a, func() {})
	for i := range int64(20) {
		o.send(bigFrame(i))
	}
	require.False(t, o.empty())
	for i := range int64(20) {
		f, err := b.ReadFrame()
		require.NoError(t, err)
		require.Equal(t, bigFrame(i), f)
	}
	o.flush(patience)
	require.True(t, o.empty())
	o.send(wire.Frame{Type: wire.Message}) // whoever sends may write again
	require.True(t, o.empty())
	_, err := b.ReadFrame()
	require.NoError(t, err)
	o.close()
	_, err = b.ReadFrame()
	require.Equal(t, io.EOF, err)
	o.send(wire.Frame{Type: wire.Message})
	require.True(t, o.empty(), "nobody writes")
}

// Memory for long frames is not kept.
func TestOutboxKeepsLittleMemory(t *testing.T) {
	t.Parallel()
	require.Nil(t, small(make([]byte, 1<<20+1)))
	kept := small(make([]byte, 1<<20))
	require.Empty(t, kept)
	require.Equal(t, 1<<20, cap(kept))
}
