package tcp

import (
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// canWatch says that a process can watch a connection without being woken by it. Kernels before 4.18 do not wake who waits for what has
// come meanwhile when the process does not watch any more.
var canWatch = func() bool {
	var system unix.Utsname
	return unix.Uname(&system) == nil && atLeast(unix.ByteSliceToString(system.Release[:]), 4, 18)
}()

// atLeast reports whether a release such as 6.1.0-13-amd64 is not before another one.
func atLeast(release string, major, minor int) bool {
	first, rest, _ := strings.Cut(release, ".")
	second := strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	a, err := strconv.Atoi(first)
	if err != nil || len(second) == 0 {
		return false
	}
	b, _ := strconv.Atoi(second[0])
	return a > major || a == major && b >= minor
}

// hushed is how many bytes must have come before the kernel wakes anybody for them while a rank watches. It is far less than a connection holds.
const hushed = 16 << 10

// hush has the kernel wake nobody for what comes, as somebody looks for it: the thread that it would wake needs a processor.
func (s *socket) hush() { s.setLeast(hushed) }

// unhush has the kernel wake who waits for what comes, and for what has come meanwhile.
func (s *socket) unhush() { s.setLeast(1) }

func (s *socket) setLeast(bytes int) {
	// If it fails, a thread is woken too often.
	s.raw.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVLOWAT, bytes) })
}

// yield lets other threads have the processor.
func yield() { syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
