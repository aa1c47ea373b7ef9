package launch_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What there is of processes is looked up in /proc. Where there is none, as on systems other than Linux, no
// process is found, and tests are content with what a launcher says.

// seen is a process in /proc.
type seen struct {
	pid, parent int
	state       string // a letter, Z for a zombie
	args        []string
}

func (s seen) String() string { return fmt.Sprintf("%d %s %q", s.pid, s.state, s.args) }

// allProcesses lists what runs on this host.
func allProcesses() (all []seen) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended meanwhile
		}
		// pid (command) state parent ...
		rest := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		s := seen{state: rest[0]}
		s.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
		s.parent, _ = strconv.Atoi(rest[1])
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		s.args = strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
		all = append(all, s)
	}
	return all
}

// children are those of this process, zombies included.
func children() (all []seen) {
	for _, s := range allProcesses() {
		if s.parent == os.Getpid() {
			all = append(all, s)
		}
	}
	return all
}

// label is the name by which a test finds its processes, also while other runs of the tests are under way.
func label(t *testing.T) string { return fmt.Sprintf("%s-%d", t.Name(), os.Getpid()) }

// named are the processes of a test in some role.
func named(t *testing.T, role string) (all []seen) {
	for _, s := range allProcesses() {
		if len(s.args) > 2 && s.args[1] == role && s.args[2] == label(t) {
			all = append(all, s)
		}
	}
	return all
}

// allNamed are the processes of a test in any role. Zombies have no names.
func allNamed(t *testing.T) []seen {
	return slices.Concat(named(t, "worker"), named(t, "agent"), named(t, "launcher"))
}

// requireNoneLeft fails if a run has left a process behind, be it as a zombie. It is for tests that run alone.
func requireNoneLeft(t *testing.T) {
	t.Helper()
	require.Empty(t, children())
	requireNoneNamed(t)
}

// requireNoneNamed fails unless all processes of a test end soon.
func requireNoneNamed(t *testing.T) {
	t.Helper()
	for until := time.Now().Add(patience); len(allNamed(t)) > 0; time.Sleep(5 * time.Millisecond) {
		require.True(t, time.Now().Before(until), "processes are left: %v", allNamed(t))
	}
}
