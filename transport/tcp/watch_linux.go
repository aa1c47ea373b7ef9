package tcp

import "syscall"

// canWatch says that a process can watch a connection without being woken by it.
const canWatch = true

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
