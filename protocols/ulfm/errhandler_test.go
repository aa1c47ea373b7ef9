package ulfm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// leaving is what a handler panics with that leaves the call.
type leaving struct{ err error }

// left calls something that fails, and returns the error with which the handler has left it.
func left(call func()) (err error) {
	defer func() {
		if by, ok := recover().(leaving); ok {
			err = by.err
		}
	}()
	call()
	return nil
}

// As programs in C do by longjmp. Whatever call it was, the communicator is as after any other error.
func TestAnErrorHandlerMayLeaveTheCall(t *testing.T) {
	for name, call := range map[string]func(world *ulfm.Comm){
		"Barrier":   func(w *ulfm.Comm) { _ = w.Barrier() },
		"Recv":      func(w *ulfm.Comm) { _, _ = w.Recv(3, 0) },
		"Ssend":     func(w *ulfm.Comm) { _ = w.Ssend(3, 0, "") },
		"Sendrecv":  func(w *ulfm.Comm) { _, _ = w.Sendrecv(3, 0, "", 3, 0) },
		"Waitall":   func(w *ulfm.Comm) { _, _ = ulfm.Waitall(w.Irecv(3, 0), w.Irecv(3, 0), w.Ibarrier()) },
		"Agree":     func(w *ulfm.Comm) { _, _ = w.Agree(1) },
		"Dup":       func(w *ulfm.Comm) { _, _ = w.Dup() },
		"Allreduce": func(w *ulfm.Comm) { _, _ = w.Allreduce([]int64{1}, ulfm.Sum) },
		"Spawn":     func(w *ulfm.Comm) { _, _ = w.Spawn(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, machineOf(4), "crash:3@t0", func(world *ulfm.Comm) {
				world.SetErrhandler(func(c *ulfm.Comm, err error) { panic(leaving{err}) })
				for range 2 {
					requireFailed(t, left(func() { call(world) }), 3)
				}
				next := (world.Rank() + 1) % 3
				got, err := world.Sendrecv(next, 7, "still there", (world.Rank()+2)%3, 7)
				require.NoError(t, err)
				require.Equal(t, "still there", got.Payload)
				small, err := world.Shrink()
				require.NoError(t, err)
				require.NoError(t, small.Barrier())
			})
		})
	}
}
