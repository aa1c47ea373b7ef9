package command

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

// freeAddresses are some at which nobody listens. Other tests, which run at the same time, listen at 127.0.0.1
// and could take a port before the processes of this one do; Linux has more addresses for this host.
func freeAddresses(t *testing.T, n int) string {
	t.Helper()
	host := "127.0.0.1"
	if runtime.GOOS == "linux" {
		host = "127.0.0.2"
	}
	var all []string
	for range n {
		l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
		require.NoError(t, err)
		defer l.Close() // when all are known
		all = append(all, l.Addr().String())
	}
	return strings.Join(all, ",")
}

// newKey makes the key of a job.
func newKey(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.key")
	require.Zero(t, mangrove("join", "--make-key", path).status)
	return path
}

// Processes that something else has started find each other by a list, and one of them reports. One is
// killed on the way.
func TestProcessesOfAListRunALine(t *testing.T) {
	const processes = 4
	self, err := os.Executable()
	require.NoError(t, err)
	flags := []string{"join", "--peers", freeAddresses(t, processes), "--key", newKey(t)}
	line := []string{"broadcast", "start=overlapped", "faults=crash:2@send1", "tick=5ms"}
	var others []*exec.Cmd
	for process := 1; process < processes; process++ {
		cmd := exec.Command(self, append(append(flags, "--process", strconv.Itoa(process)), line...)...)
		require.NoError(t, cmd.Start())
		others = append(others, cmd)
	}
	got := mangrove(append(append(flags, "--process", "0"), line...)...)
	for i, cmd := range others {
		err := cmd.Wait()
		if i+1 == 2 {
			require.ErrorContains(t, err, "killed")
		} else {
			require.NoError(t, err)
		}
	}
	assert.Equal(t, 0, got.status, got.stderr)
	assert.Contains(t, got.stdout, "rank 2 crashed at t=")
	assert.Contains(t, got.stdout, "all 3 live ranks reached")
}

// Processes that were started with different lines do not run at all.
func TestProcessesOfAListMustRunTheSameLine(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	flags := []string{"join", "--peers", freeAddresses(t, 2), "--key", newKey(t)}
	other := exec.Command(self, append(flags, "--process", "1", "broadcast", "tick=5ms", "seed=2")...)
	require.NoError(t, other.Start())
	got := mangrove(append(flags, "--process", "0", "broadcast", "tick=5ms", "seed=1")...)
	require.Error(t, other.Wait())
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.stderr, "process 1 has broadcast tick=5ms seed=2 P=2")
	assert.Contains(t, got.stderr, "all must run the same")
}

func TestAKeyIsSecretAndGoodForOneRun(t *testing.T) {
	key := newKey(t)
	info, err := os.Stat(key)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	again := mangrove("join", "--make-key", key)
	assert.Equal(t, 2, again.status)
	assert.Contains(t, again.stderr, "the file exists")
	require.NoError(t, os.Chmod(key, 0o644))
	open := mangrove("join", "--peers", "127.0.0.1:1", "--process", "0", "--key", key, "broadcast")
	assert.Equal(t, 2, open.status)
	assert.Contains(t, open.stderr, "others can read it (mode 644), want 600")
}

func TestWhatCannotJoinExitsWith2(t *testing.T) {
	t.Setenv("SLURM_PROCID", "")
	key, wrong := newKey(t), filepath.Join(t.TempDir(), "wrong.key")
	require.NoError(t, os.WriteFile(wrong, []byte("secret\n"), 0o600))
	const peers = "--peers=127.0.0.1:1,127.0.0.1:2"
	for says, args := range map[string][]string{
		"--peers: want the addresses":                 {"broadcast"},
		"--key: want the file of a key":               {peers, "broadcast"},
		"no such file":                                {peers, "--key", key + "x", "broadcast"},
		"key of a job with 6 characters":              {peers, "--key", wrong, "broadcast"},
		"--process: want the number of this process":  {peers, "--key", key, "broadcast"},
		"process 2, want 0 to 1":                      {peers, "--key", key, "--process", "2", "broadcast"},
		"unknown protocol":                            {peers, "--key", key, "--process", "0", "nothing"},
		"2 processes, want 1 to 1":                    {peers, "--key", key, "--process", "0", "broadcast", "P=1"},
		"nobody would start the process again":        {peers, "--key", key, "--process", "0", "membership", "faults=crash:1@t5,rejoin:1@t9"},
		"--process -1: want a whole number from 0 to": {peers, "--key", key, "--process", "-1", "broadcast"},
	} {
		got := mangrove(append([]string{"join"}, args...)...)
		assert.Equal(t, 2, got.status, says)
		assert.Contains(t, got.stderr, says)
		assert.NotContains(t, got.stderr, "secret")
	}
}

// In a SLURM job the number of the process is that of the task.
func TestTheNumberOfAProcessMayBeThatOfATask(t *testing.T) {
	f := joinFlags{JoinOptions: launch.JoinOptions{Process: -1, Addresses: []string{"a", "b"}}}
	n, err := f.number(func(name string) string { return map[string]string{"SLURM_PROCID": "1"}[name] })
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	f.Process = 0
	n, err = f.number(func(string) string { return "7" })
	require.NoError(t, err)
	assert.Zero(t, n)
}

// A process of a list is started once more as it was, and not by a launcher.
func TestABrokenGuaranteeOfAListIsSeenAgainByTheSameFlags(t *testing.T) {
	peers, key := freeAddresses(t, 1), newKey(t)
	got := mangrove("join", "--peers", peers, "--key", key, "--process", "0", "--encrypt", "broadcast", "P=4", "correction=none", "faults=crash:1@recv1")
	assert.Equal(t, 1, got.status, got.stderr)
	assert.Contains(t, got.stdout, "\nagain: mangrove join --process 0 --encrypt --key "+key+" --peers "+peers+
		" broadcast P=4 correction=none faults=crash:1@recv1 tick=5ms # in each process with its own number, and with a new key\n")
}

// A list says where everybody listens.
func TestAListHasNoOtherAddresses(t *testing.T) {
	got := mangrove("join", "--peers", "a:1,b:2", "--process", "0", "--listen", "10.0.0.1:0", "broadcast")
	require.Equal(t, statusInput, got.status)
	require.Contains(t, got.stderr, "--listen 10.0.0.1:0: processes of a list listen at their own address in --peers")
}
