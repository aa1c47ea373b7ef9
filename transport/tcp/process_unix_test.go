//go:build unix

package tcp_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// A process that fails kills or stops itself. What it has sent before arrives, also if the connection was still being
// opened, and half a message is none.
func TestProcessFailsForReal(t *testing.T) {
	t.Parallel()
	all := []int64{1, 2, 3, 4, 5}
	for text, c := range map[string]struct {
		got     []int64
		outcome report.Outcome
	}{
		"crash:0@before-send1": {nil, report.Crashed},
		"crash:0@send1":        {nil, report.Crashed},
		"crash:0@after-send1":  {all[:1], report.Crashed},
		"crash:0@send3":        {all[:2], report.Crashed},
		"hang:0@after-send2":   {all[:2], report.Hung},
		"hang:0@t0":            {nil, report.Hung},
	} {
		t.Run(text, func(t *testing.T) {
			m := mortal{Key: wire.NewJob().Key(), Faults: text}
			job, err := m.job()
			require.NoError(t, err)
			r := prepare(t, job, tcp.Detection{}, 0)
			m.Coordinator = r.coordinator.Addr().String()
			cmd := m.start(t)
			var n numbers
			res := r.run(t, protocols.Program{Main: n.main})
			require.Equal(t, c.got, n.got)
			require.Len(t, res.Failed, 1)
			require.Equal(t, c.outcome, res.Failed[0].Outcome)
			require.Empty(t, res.Unscheduled)
			requireFinished(t, res, res.Ranks[1:])
			var status syscall.WaitStatus
			_, err = syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil)
			require.NoError(t, err)
			require.Equal(t, c.outcome == report.Hung, status.Stopped(), "%v", status)
			require.Equal(t, c.outcome == report.Crashed, status.Signaled() && status.Signal() == syscall.SIGKILL, "%v", status)
		})
	}
}
