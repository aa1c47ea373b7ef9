//go:build mpi

package mpi

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// Only where processes outnumber processors and a yield does not reach all of them do they nap, for longer the more there are.
func TestProcessesOfACrowdTakeTurns(t *testing.T) {
	for _, c := range []struct {
		crowd
		eager bool
		turn  int
	}{
		{crowd{processes: 2, processors: 2}, true, 0},
		{crowd{processes: 2, processors: 2, apart: true}, true, 0},
		{crowd{processes: 3, processors: 2}, false, 0},
		{crowd{processes: 3, processors: 2, yields: true}, true, 0},
		{crowd{processes: 3, processors: 2, apart: true, yields: true}, false, 30},
		{crowd{processes: 3, processors: 2, apart: true}, false, 30},
		{crowd{processes: 8, processors: 2, apart: true}, false, 80},
		{crowd{processes: 3, processors: 1, apart: true}, false, 60},
	} {
		require.Equal(t, c.eager, c.crowd.eager(), c)
		require.Equal(t, c.turn, c.crowd.turn(), c)
	}
}

// A process is like another one to the scheduler if both are in the same control group, and in the same session where that counts.
func TestWhoSharesAProcessor(t *testing.T) {
	of := func(cgroup, session, enabled string) int64 {
		return share(fstest.MapFS{
			"self/cgroup":    {Data: []byte(cgroup)},
			"self/autogroup": {Data: []byte(session)},

			"sys/kernel/sched_autogroup_enabled": {Data: []byte(enabled)},
		})
	}
	one := of("0::/", "/autogroup-1 nice 0\n", "1\n")
	require.Equal(t, one, of("0::/", "/autogroup-1 nice 0\n", "1\n"))
	require.NotEqual(t, one, of("0::/", "/autogroup-2 nice 0\n", "1\n"))
	require.NotEqual(t, one, of("0::/task", "/autogroup-1 nice 0\n", "1\n"))
	require.Equal(t, of("0::/", "/autogroup-1 nice 0\n", "0\n"), of("0::/", "/autogroup-2 nice 0\n", "0\n"))
	require.Equal(t, share(fstest.MapFS{}), share(fstest.MapFS{}), "there is no such thing on other systems")
}
