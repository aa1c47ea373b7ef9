//go:build unix

package campaign

import (
	"os"
	"syscall"
)

// lock makes sure that nobody else writes a file of results: two at once would write over each other. It
// ends with the file's being closed, or with the process.
func lock(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
