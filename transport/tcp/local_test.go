package tcp_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// attended is a context that does not end, and counts who waits for that.
type attended struct {
	context.Context
	waiting atomic.Int64
}

func (a *attended) Done() <-chan struct{} { return make(chan struct{}) }

// AfterFunc is what package context calls for contexts that are made of this one.
func (a *attended) AfterFunc(func()) (stop func() bool) {
	a.waiting.Add(1)
	return func() bool {
		a.waiting.Add(-1)
		return true
	}
}

// A context may live much longer than a run.
func TestARunLeavesNothingInItsContext(t *testing.T) {
	t.Parallel()
	ctx := &attended{Context: context.Background()}
	var meanwhile atomic.Int64
	_, err := tcp.RunLocal(ctx, someJob(2, 2), tcp.Detection{}, protocols.Program{Main: func(protocols.Proc) {
		meanwhile.Store(ctx.waiting.Load())
	}})
	require.NoError(t, err)
	require.Positive(t, meanwhile.Load())
	require.Zero(t, ctx.waiting.Load())
}
