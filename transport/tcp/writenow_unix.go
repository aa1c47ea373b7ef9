//go:build unix

package tcp

import "syscall"

// writeNow writes what the kernel takes without waiting, and returns how much that was. An error
// will come again with the next attempt.
func writeNow(raw syscall.RawConn, text []byte) (written int) {
	raw.Write(func(fd uintptr) bool {
		if n, err := syscall.Write(int(fd), text); err == nil {
			written = n
		}
		return true
	})
	return written
}
