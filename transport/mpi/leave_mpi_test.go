//go:build mpi

package mpi

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A library that does not let go is not waited for, if there is any limit.
func TestLeavingTakesNoLongerThanItMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct{ patience, takes, want time.Duration }{{0, time.Hour, time.Hour}, {time.Second, time.Hour, time.Second}, {time.Hour, time.Second, time.Second}} {
			began := time.Now()
			within(c.patience, func() { time.Sleep(c.takes) })
			require.Equal(t, c.want, time.Since(began))
		}
		time.Sleep(time.Hour) // until all is over
	})
}
