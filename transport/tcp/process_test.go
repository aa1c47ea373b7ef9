package tcp_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// mortal is a process of its own that runs rank 0 of the program numbers, and fails for real. If it has a folder for what it keeps, it runs that of relics.
type mortal struct {
	Key, Faults, Coordinator string
	Storage                  string
	Life                     int
}

// mortalRole is the argument that makes this program such a process.
const mortalRole = "mortal"

// job is that of three processes of which the first is mortal.
func (m *mortal) job() (tcp.Job, error) {
	job := someJob(3, 3)
	var err error
	if job.Job, err = wire.ParseKey(m.Key); err == nil {
		job.Faults, err = faults.Parse(m.Faults)
	}
	return job, err
}

// live is what the process does.
func live(input io.Reader) error {
	var m mortal
	if err := json.NewDecoder(input).Decode(&m); err != nil {
		return err
	}
	job, err := m.job()
	if err != nil {
		return err
	}
	program := new(numbers).main
	if m.Storage != "" {
		program = new(relics).main
	}
	n, err := tcp.Listen(tcp.Config{Job: job, Signals: true, Storage: m.Storage, Life: m.Life})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Join(context.Background(), m.Coordinator); err != nil {
		return err
	}
	return n.Run(context.Background(), protocols.Program{Main: program}, nil)
}

// start starts the process. If this program is killed, so is the process, also if it has stopped itself, where that is
// possible: then it is killed with the thread that has started it, which lives as long as the test.
func (m *mortal) start(t *testing.T) *exec.Cmd {
	t.Helper()
	runtime.LockOSThread()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, mortalRole)
	cmd.Stderr = t.Output()
	cmd.SysProcAttr = diesWithThread()
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	require.NoError(t, json.NewEncoder(stdin).Encode(m))
	return cmd
}
