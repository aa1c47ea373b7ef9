package command

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What somebody can mend is told in one sentence to the one who can, with the flag, file or address that it is about.

func TestAProcessWithAnotherKeyIsTold(t *testing.T) {
	for _, encrypt := range []string{"--encrypt=false", "--encrypt"} {
		peers, key, other := freeAddresses(t, 2), newKey(t), newKey(t)
		first := strings.Split(peers, ",")[0]
		ctx, cancel := context.WithCancel(t.Context())
		zero := make(chan result, 1)
		go func() {
			zero <- mangroveWith(ctx, testProtocols(), "join", "--peers", peers, "--key", key, encrypt, "--timeout", patience.String(), "--process", "0", "broadcast")
		}()
		got := mangrove("join", "--peers", peers, "--key", other, encrypt, "--timeout", patience.String(), "--process", "1", "broadcast")
		assert.Equal(t, 2, got.status)
		assert.Equal(t, "mangrove: --key "+other+": process 1 cannot join: process 0 at "+first+" has another key; want the same key in all processes\n", got.stderr)
		cancel()
		r := <-zero
		assert.Equal(t, statusInterrupted, r.status)
		assert.Regexp(t, `^process 0: connection from 127\.0\.0\.\d:\d+ dropped: .*its key is that of another job\n`, r.stderr)
		assert.LessOrEqual(t, strings.Count(r.stderr, "\n"), 60, "a line a second, and not one for each attempt")
	}
}

func TestAPortThatIsTakenIsTold(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.2:0")
	require.NoError(t, err)
	defer l.Close()
	taken, machine := l.Addr().String(), filepath.Join(t.TempDir(), "m.toml")
	for flag, args := range map[string][]string{
		"--peers":   {"join", "--peers", taken, "--key", newKey(t), "--process", "0", "broadcast"},
		"--listen":  {"launch", "-n", "2", "broadcast", "--listen", taken},
		"--listen ": {"calibrate", "--out", machine, "--listen", taken},
	} {
		got := mangrove(args...)
		assert.Equal(t, 2, got.status)
		assert.Equal(t, "mangrove: "+strings.TrimSpace(flag)+" "+taken+": the port is taken, want a free one\n", got.stderr)
	}
}

// Process 1 has joined and waits for a third that never comes. Then process 0 is killed.
func TestAProcessThatLosesTheOthersWhileItJoinsIsTold(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	peers, key := freeAddresses(t, 3), newKey(t)
	flags := []string{"join", "--peers", peers, "--key", key, "--timeout", patience.String()}
	zero := exec.Command(self, append(flags, "--process", "0", "broadcast")...)
	require.NoError(t, zero.Start())
	relayed := relay(t, strings.Split(peers, ",")[0], func() { zero.Process.Kill() })
	through := append([]string{relayed}, strings.Split(peers, ",")[1:]...)
	got := mangrove("join", "--peers", strings.Join(through, ","), "--key", key, "--timeout", patience.String(), "--process", "1", "broadcast")
	require.Error(t, zero.Wait())
	assert.Equal(t, 1, got.status)
	assert.Equal(t, "mangrove: tcp: process 1 cannot join process 0 at "+relayed+": it has ended, or the network has lost it\n", got.stderr)
}

// relay passes on what goes to an address and comes from there. When the one who has connected has said where it is, which is when it has joined, something happens.
func relay(t *testing.T, address string, joined func()) (relayed string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.2:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", address)
			if err != nil { // the other side is not there yet
				in.Close()
				continue
			}
			go pass(in, out, nil)
			go pass(out, in, joined)
		}
	}()
	return l.Addr().String()
}

// pass passes on what one side says, and looks for the word that a process joins with.
func pass(to, from net.Conn, joined func()) {
	defer to.Close()
	var heard bytes.Buffer
	text := make([]byte, 1<<12)
	for {
		n, err := from.Read(text)
		if _, failed := to.Write(text[:n]); err != nil || failed != nil {
			return
		}
		heard.Write(text[:n])
		if joined != nil && bytes.Contains(heard.Bytes(), []byte(`"Terms"`)) {
			joined()
			joined = nil
		}
	}
}

// A disk that is full is one sentence, with what was to be written, and status 1.
func TestAFullDiskIsTold(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	for _, words := range []string{"launch -n 2 big", "launch -n 2 big --json", "run big P=2", "run big P=2 --json"} {
		var stderr bytes.Buffer
		a := app{name: ours, registry: testProtocols(), stdout: full, stderr: &stderr}
		assert.Equal(t, 1, a.run(t.Context(), strings.Fields(words)), words)
		assert.Equal(t, "mangrove: cannot write to standard output: no space left on device\n", stderr.String(), words)
	}
	got := mangrove("run", "big", "P=2", "--trace", "/dev/full")
	assert.Equal(t, 1, got.status)
	assert.Equal(t, "mangrove: cannot write the trace to /dev/full: no space left on device\n", got.stderr)
	got = mangrove(append([]string{"calibrate", "--force", "--out", "/dev/full"}, little...)...)
	assert.Equal(t, 1, got.status)
	assert.Equal(t, "mangrove: cannot write the machine to /dev/full: no space left on device\n", got.stderr)
}
