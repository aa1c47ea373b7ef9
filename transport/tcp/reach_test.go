package tcp

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/transport/wire"
)

// visited answers each connection to the address that it returns, one after the other, and says the number of each.
func visited(t *testing.T, answer func(number int, conn net.Conn)) (address string) {
	t.Helper()
	door, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	over := make(chan struct{})
	go func() {
		defer close(over)
		for number := 1; ; number++ {
			conn, err := door.Accept()
			if err != nil {
				return
			}
			answer(number, conn)
			conn.Close()
		}
	}()
	t.Cleanup(func() { door.Close(); <-over })
	return door.Addr().String()
}

// Asking again would not help one who was refused, who has the wrong secret, or who finds a stranger there; one who found nobody may have
// come too early.
func TestCoordinatorIsAskedAgainOnlyIfThatMayHelp(t *testing.T) {
	t.Parallel()
	self := wire.Identity{Role: wire.Member}
	for name, c := range map[string]struct {
		encrypt bool
		answer  func(job *Job, conn net.Conn)
		final   error // nil: it is asked again
	}{
		"refuses": {false, func(job *Job, conn net.Conn) {
			if s, err := (wire.Handshake{Job: job.Job, Self: self}).Accept(conn); err == nil {
				s.Refuse("not you")
			}
		}, wire.ErrRefused},
		"has another secret": {false, func(job *Job, conn net.Conn) {
			wire.Handshake{Job: wire.Job{ID: job.ID}, Self: self}.Accept(conn)
		}, ErrKey},
		"hangs up": {false, func(*Job, net.Conn) {}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := pairOfProcesses()
			job.Encrypt = c.encrypt
			n := listening(t, Config{Job: job})
			again := errors.New("asked again")
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			address := visited(t, func(number int, conn net.Conn) {
				if number > 1 {
					cancel(again)
				}
				c.answer(&job, conn)
			})
			_, err := n.reachCoordinator(ctx, address, 0)
			if c.final == nil {
				require.ErrorIs(t, err, again)
				return
			}
			require.ErrorIs(t, err, c.final)
			require.NotErrorIs(t, err, again)
		})
	}
}

// A job that was at the address before may not have ended yet, so it is asked again for a while. Then it is said what is wrong, and not what was tried last.
func TestSomebodyElseAtTheAddressIsGivenTimeToLeave(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		encrypt bool
		answer  func(job *Job, conn net.Conn)
		says    error
	}{
		"another job": {false, func(_ *Job, conn net.Conn) { wire.Handshake{Job: wire.NewJob()}.Accept(conn) }, ErrKey},
		"another job, encrypted": {true, func(_ *Job, conn net.Conn) {
			other := Job{Job: wire.NewJob(), Encrypt: true}
			if settings, err := other.encryption(); err == nil {
				tls.Server(conn, settings).Handshake()
			}
		}, ErrKey},
		"encrypts": {false, func(job *Job, conn net.Conn) {
			other := *job
			other.Encrypt = true
			if settings, err := other.encryption(); err == nil {
				newAcceptor(nil, wire.Handshake{Job: job.Job}, settings, nil, nil).accept(conn)
			}
		}, errEncryption},
		"does not encrypt": {true, func(job *Job, conn net.Conn) { wire.Handshake{Job: job.Job}.Accept(conn) }, errEncryption},
		"another version": {false, func(job *Job, conn net.Conn) {
			io.CopyN(io.Discard, conn, 54) // a hello
			conn.Write(append([]byte("MGRV\x7f"), make([]byte, 49)...))
		}, errVersion},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := pairOfProcesses()
			job.Encrypt = c.encrypt
			n := listening(t, Config{Job: job, Process: 1})
			visits := make(chan int, 1000)
			address := visited(t, func(number int, conn net.Conn) {
				visits <- number
				c.answer(&job, conn)
			})
			_, err := n.reachCoordinator(t.Context(), address, 0)
			require.EqualError(t, err, "tcp: process 1 cannot join: process 0 at "+address+" "+c.says.Error())
			require.ErrorIs(t, err, c.says)
			require.Greater(t, len(visits), 1)
		})
	}
}

// If who was there has gone, somebody is waited for as if nobody had been there.
func TestWhoFindsThatSomebodyElseHasLeftGoesOnWaiting(t *testing.T) {
	t.Parallel()
	n := listening(t, Config{Job: pairOfProcesses(), Process: 1})
	ctx, cancel := context.WithTimeoutCause(t.Context(), foreignPatience+foreignPatience/2, errors.New("time is up"))
	defer cancel()
	address := visited(t, func(number int, conn net.Conn) {
		if number == 1 {
			wire.Handshake{Job: wire.NewJob()}.Accept(conn)
		} // then nobody answers
	})
	_, err := n.reachCoordinator(ctx, address, 0)
	require.ErrorContains(t, err, "time is up")
	require.NotErrorIs(t, err, ErrKey)
}

// Process 0 listens before it is the host of the coordinator. Who comes in between is not refused, which would be final, but comes again.
func TestWhoComesBeforeTheHostIsThereComesAgain(t *testing.T) {
	t.Parallel()
	job := pairOfProcesses()
	host, other := listening(t, Config{Job: job, Hosts: true}), listening(t, Config{Job: job, Process: 1})
	_, err := other.dial(t.Context(), host.Addr().String(), wire.Member, 0, 0)
	require.Error(t, err)
	require.NotErrorIs(t, err, wire.ErrRefused)
	reached := make(chan error, 1)
	go func() {
		s, err := other.reachCoordinator(t.Context(), host.Addr().String(), 0)
		if err == nil {
			s.Close()
		}
		reached <- err
	}()
	c, err := host.Host(Detection{}, nil)
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, <-reached)
}
