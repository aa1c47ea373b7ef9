//go:build unix

package tcp_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// relics is a program whose rank 0 does what keepers do in their first life, and sends in the next one what it has found there to rank 1.
type relics struct {
	keeper
	ready chan struct{} // closed when rank 0 has said that it is at the end of its first life; nil where nobody asks
	text  string        // what rank 1 has received from the next one
}

func (r *relics) main(p protocols.Proc) {
	switch p.Rank() {
	case 0:
		r.found = make([]string, 1)
		r.begin(p)
		p.Send(1, mailbox.Message{A: int64(p.Life()), Payload: r.found[0]})
		p.Linger(mailbox.Any)
	case 1:
		for {
			if _, m := p.Linger(mailbox.Any); m.A > 0 {
				r.text = "found " + m.Payload
			} else if r.ready != nil {
				close(r.ready)
			}
		}
	}
}

// comeBack is a run in which rank 0 is a process that fails, and is started again.
func comeBack(t *testing.T, text string, fail func(*exec.Cmd, *relics)) (string, *tcp.Result) {
	const back clock.Time = 1
	m := mortal{Key: wire.NewJob().Key(), Faults: text, Storage: t.TempDir()}
	job, err := m.job()
	require.NoError(t, err)
	r := prepare(t, job, tcp.Detection{}, 0)
	release := r.coordinator.Hold()
	m.Coordinator = r.coordinator.Addr().String()
	cmd := m.start(t)
	program := &relics{ready: make(chan struct{})}
	wait := r.start(protocols.Program{Main: program.main})
	fail(cmd, program)
	life, err := r.coordinator.Expect(t.Context(), 0, back)
	require.NoError(t, err)
	cmd.Process.Kill() // it may have stopped itself
	cmd.Wait()
	m.Life = life
	m.start(t)
	release()
	res := wait(t)
	requireFinished(t, res, res.Ranks)
	return program.text, res
}

// What a process that kills or stops itself loses is what it would lose with its host; what its schedule keeps is there.
func TestProcessThatFailsForRealKeepsWhatItsScheduleSays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"crash:0@after-write2":           "found ",
		"crash:0@after-write2:kept2":     "found b1",
		"crash:0@sync1":                  "found ",
		"crash:0@after-sync1":            "found a1b1",
		"crash:0@before-sync2":           "found a1b1",
		"crash:0@sync2:kept*":            "found a2",
		"hang:0@before-sync2:kept1":      "found a2b1",
		"hang:0@write4":                  "found a1b1",
		"slow:0x2@sync1,crash:0@sync2":   "found a1b1",
		"crash:0@write1,crash:0@write99": "found ",
	} {
		t.Run(text, func(t *testing.T) {
			found, res := comeBack(t, text+",rejoin:0@t1", func(*exec.Cmd, *relics) {})
			require.Equal(t, want, found)
			require.Empty(t, res.Unscheduled)
		})
	}
}

// A process that somebody else kills has what it has synced, and nothing else.
func TestProcessThatSomebodyKillsHasWhatItHasSynced(t *testing.T) {
	t.Parallel()
	found, res := comeBack(t, "rejoin:0@t1", func(cmd *exec.Cmd, r *relics) {
		<-r.ready
		require.NoError(t, cmd.Process.Kill())
	})
	require.Equal(t, "found a2", found)
	require.Len(t, res.Unscheduled, 1)
}
