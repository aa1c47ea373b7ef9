//go:build unix

package benchmark

import (
	"syscall"
	"time"
)

// ProcessorTime is how long this process has had processors, all of them together. It says more than the clock where others need
// the processors, too.
func ProcessorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
