package handout_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serving starts processes that serve with so many hands each, and returns the office and what to wait for.
func serving(t *testing.T, ctx context.Context, hands []int, do func(context.Context, []byte) ([]byte, error)) (*handout.Office, func() []error) {
	t.Helper()
	group := parts.InProcess(ctx, 1+len(hands))
	errs := make([]error, len(hands))
	var wait sync.WaitGroup
	for i, n := range hands {
		wait.Go(func() { errs[i] = handout.Serve(t.Context(), group[1+i], n, do) })
	}
	office, err := handout.Open(group[0])
	require.NoError(t, err)
	return office, func() []error {
		wait.Wait()
		return errs
	}
}

// double doubles a number, and refuses others.
func double(_ context.Context, task []byte) ([]byte, error) {
	n, err := strconv.Atoi(string(task))
	return fmt.Append(nil, 2*n), err
}

func TestTasksAreDoneElsewhere(t *testing.T) {
	office, served := serving(t, t.Context(), []int{1, 3}, double)
	require.Equal(t, 4, office.Hands())
	results := make([]string, 300)
	var wait sync.WaitGroup
	next := atomic.Int64{}
	for range 6 {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(results)); i = next.Add(1) - 1 {
				done, err := office.Do(t.Context(), fmt.Append(nil, i))
				results[i] = fmt.Sprint(string(done), err)
			}
		})
	}
	wait.Wait()
	for i, r := range results {
		require.Equal(t, fmt.Sprint(2*i, "<nil>"), r)
	}
	_, err := office.Do(t.Context(), []byte("x"))
	require.EqualError(t, err, `strconv.Atoi: parsing "x": invalid syntax`)
	done, err := office.Do(t.Context(), []byte("21"))
	require.NoError(t, err)
	require.Equal(t, "42", string(done))
	require.NoError(t, office.Close())
	require.Equal(t, []error{nil, nil}, served())
}

// No process has more to do at a time than it has hands, and all have something to do.
func TestHandsAreNotOverworked(t *testing.T) {
	var mu sync.Mutex
	busy, most := 0, 0
	full := make(chan struct{})
	office, served := serving(t, t.Context(), []int{2, 1}, func(context.Context, []byte) ([]byte, error) {
		mu.Lock()
		busy++
		if busy > most {
			if most = busy; most == 3 {
				close(full)
			}
		}
		mu.Unlock()
		<-full
		mu.Lock()
		busy--
		mu.Unlock()
		return nil, nil
	})
	var wait sync.WaitGroup
	for range 5 {
		wait.Go(func() { _, _ = office.Do(t.Context(), nil) })
	}
	wait.Wait()
	require.Equal(t, 3, most)
	require.NoError(t, office.Close())
	require.Equal(t, []error{nil, nil}, served())
}

// Who asks need not wait for an answer; closing the office waits for those who are at work.
func TestAnOfficeIsLeftInOrder(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	var done atomic.Bool
	office, served := serving(t, t.Context(), []int{1}, func(context.Context, []byte) ([]byte, error) {
		close(begun)
		<-finish
		done.Store(true)
		return nil, nil
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("not now")
	go func() {
		<-begun
		cancel(why)
	}()
	_, err := office.Do(ctx, nil)
	require.Equal(t, why, err)
	_, err = office.Do(ctx, nil)
	require.Equal(t, why, err, "nobody is free")
	close(finish)
	require.NoError(t, office.Close())
	require.True(t, done.Load())
	require.Equal(t, []error{nil}, served())
}

// What nobody waits for any more is not done to the end.
func TestAnOfficeThatClosesCancelsWhatIsLeft(t *testing.T) {
	begun := make(chan struct{})
	office, served := serving(t, t.Context(), []int{1}, func(ctx context.Context, _ []byte) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	_, err := office.Do(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, office.Close())
	require.Equal(t, []error{nil}, served())
}

// If the others cannot be reached any more, nobody waits for them.
func TestAnOfficeWithoutHandsIsAnError(t *testing.T) {
	ctx, leave := context.WithCancelCause(t.Context())
	why := errors.New("gone")
	office, served := serving(t, ctx, []int{1, 1}, func(context.Context, []byte) ([]byte, error) {
		leave(why)
		<-ctx.Done()
		return nil, nil
	})
	_, err := office.Do(t.Context(), nil)
	if err != nil { // the answer may be faster
		require.Equal(t, why, err)
	}
	require.Equal(t, why, office.Close())
	require.Equal(t, []error{why, why}, served())
}
