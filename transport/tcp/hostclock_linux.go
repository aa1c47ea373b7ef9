package tcp

import (
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// hostName says whose clock readHostClock reads: the kernel's, from its boot on, as the time namespace of this process shows it.
var hostName = sync.OnceValue(func() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(strings.TrimSpace(string(boot))) == 0 {
		return ""
	}
	namespace, _ := os.Readlink("/proc/self/ns/time") // old kernels have none: then there is one time for all
	return nameOfHost(strings.TrimSpace(string(boot)) + " " + namespace)
})

// readHostClock reads the clock that package time measures with, too.
func readHostClock() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic("tcp: no monotonic clock: " + err.Error()) // every kernel has one
	}
	return time.Duration(now.Nano())
}
