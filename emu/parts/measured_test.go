package parts_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
)

// What a part does itself is work, and what it does until the other one comes is waiting, whichever of them is slow.
func TestCostsOfAPartAreToldApart(t *testing.T) {
	const quick, slow = time.Second, time.Minute
	costs := make([]parts.Cost, 2)
	synctest.Test(t, func(t *testing.T) {
		parts.Together(t.Context(), 2, func(g parts.Mail) error {
			i, m := g.Index(), parts.Measure(g)
			exchange := func() {
				in, err := m.Exchange([][]byte{make([]byte, 3+4*i), make([]byte, 5)})
				assert.NoError(t, err)
				assert.Equal(t, [2]int{3 + 2*i, 7 - 2*i}, [2]int{len(in[0]), len(in[1])})
			}
			time.Sleep(time.Hour) // before the first call: belongs to nothing
			exchange()
			time.Sleep([]time.Duration{quick, slow}[i])
			exchange()
			time.Sleep([]time.Duration{slow, quick}[i])
			least, err := m.Min(clock.Time(7 + i))
			assert.NoError(t, err)
			assert.EqualValues(t, 7, least)
			costs[i] = m.Cost
			return nil
		})
	})
	require.Equal(t, []parts.Cost{
		{Work: quick + slow, Waiting: slow - quick, Exchanges: 2, Agreements: 1, Bytes: 10},
		{Work: quick + slow, Agreement: slow - quick, Exchanges: 2, Agreements: 1, Bytes: 14},
	}, costs)
}

func TestAMeasuredGroupCanBeLeft(t *testing.T) {
	ctx, leave := context.WithCancelCause(t.Context())
	why := errors.New("had enough")
	leave(why)
	m := parts.Measure(parts.InProcess(ctx, 2)[0])
	_, err := m.Exchange(make([][]byte, 2))
	require.Equal(t, why, err)
}
