package parts_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Blocks are consecutive, of all ranks, and none is larger than it must be; everybody agrees on who owns what.
func TestEveryRankIsInOneBlock(t *testing.T) {
	for count := 1; count <= 9; count++ {
		for ranks := 1; ranks <= 40; ranks++ {
			next := 0
			for i := range count {
				b := parts.BlockOf(i, count, ranks)
				require.Equal(t, next, b.First)
				require.LessOrEqual(t, b.Len, (ranks+count-1)/count)
				for rank := b.First; rank < b.First+b.Len; rank++ {
					require.Equal(t, i, parts.Owner(rank, count, ranks))
				}
				next += b.Len
			}
			require.Equal(t, ranks, next)
		}
	}
}

func TestPartsAgreeAndExchange(t *testing.T) {
	var mu sync.Mutex
	var wrong []string
	check := func(ok bool, format string, values ...any) {
		mu.Lock()
		defer mu.Unlock()
		if !ok {
			wrong = append(wrong, fmt.Sprintf(format, values...))
		}
	}
	parts.Together(t.Context(), 3, func(g parts.Mail) error {
		check(g.Count() == 3, "%d parts", g.Count())
		out := make([][]byte, 3)
		for round := range 200 {
			least, err := g.Min(clock.Time((g.Index()+round)%3 + round))
			check(err == nil && least == clock.Time(round), "round %d: %d, %v", round, least, err)
			for i := range out {
				out[i] = fmt.Appendf(out[i][:0], "%d to %d in round %d", g.Index(), i, round)
			}
			in, err := g.Exchange(out)
			check(err == nil && len(in) == 3, "round %d: %d, %v", round, len(in), err)
			for i := range out {
				clear(out[i]) // they may be written into at once
			}
			_, err = g.Min(0)
			check(err == nil, "round %d: %v", round, err)
			for i, batch := range in {
				check(string(batch) == fmt.Sprintf("%d to %d in round %d", i, g.Index(), round), "round %d: %s", round, batch)
			}
		}
		return nil
	})
	require.Empty(t, wrong)
}

// Nobody waits for ever for one that does not come.
func TestAGroupCanBeLeft(t *testing.T) {
	ctx, leave := context.WithCancelCause(t.Context())
	why := errors.New("had enough")
	errs := make([]error, 3)
	parts.Together(ctx, 3, func(g parts.Mail) error {
		switch g.Index() {
		case 0:
			leave(why)
		case 1:
			_, errs[1] = g.Min(4)
		case 2:
			_, errs[2] = g.Exchange(make([][]byte, 3))
		}
		return nil
	})
	require.Equal(t, []error{nil, why, why}, errs)
}

// Messages of one sender come in order, and all of them, however fast they are sent.
func TestMailComesInOrder(t *testing.T) {
	const each = 500
	got := make(map[int][]string)
	parts.Together(t.Context(), 3, func(g parts.Mail) error {
		text := make([]byte, 0, 8)
		for i := range each {
			if g.Index() > 0 {
				text = fmt.Append(text[:0], i)
				_ = g.Send(0, text)
				clear(text)
				continue
			}
			for range 2 {
				from, message, err := g.Receive()
				if err == nil {
					got[from] = append(got[from], string(message))
				}
			}
		}
		return nil
	})
	want := make([]string, each)
	for i := range want {
		want[i] = fmt.Sprint(i)
	}
	require.Equal(t, map[int][]string{1: want, 2: want}, got)
}

func TestNobodyWaitsForMailForEver(t *testing.T) {
	ctx, leave := context.WithCancelCause(t.Context())
	why := errors.New("nobody writes")
	leave(why)
	_, _, err := parts.InProcess(ctx, 1)[0].Receive()
	require.Equal(t, why, err)
}

func TestBlocksOfTheLargestMachine(t *testing.T) {
	for _, count := range []int{1, 2, 3, 7, 1000, 1 << 20, clock.MaxRanks} {
		for _, i := range []int{0, 1, count / 2, count - 1} {
			b := parts.BlockOf(i, count, clock.MaxRanks)
			if b.Len == 0 {
				continue
			}
			require.Equal(t, i, parts.Owner(b.First, count, clock.MaxRanks))
			require.Equal(t, i, parts.Owner(b.First+b.Len-1, count, clock.MaxRanks))
			require.LessOrEqual(t, b.First+b.Len, clock.MaxRanks)
		}
		owner := parts.Owner(clock.MaxRanks-1, count, clock.MaxRanks)
		b := parts.BlockOf(owner, count, clock.MaxRanks)
		require.Equal(t, clock.MaxRanks, b.First+b.Len)
	}
}

// Who fails does not leave the others waiting, whatever they wait for.
func TestPartsThatDoSomethingTogetherFailTogether(t *testing.T) {
	why := errors.New("had enough")
	require.Equal(t, []error{why, why, nil, why}, parts.Together(t.Context(), 4, func(g parts.Mail) (err error) {
		switch g.Index() {
		case 0:
			_, _, err = g.Receive()
		case 1:
			_, err = g.Min(4)
		case 3:
			err = why
		}
		return err
	}))
}
