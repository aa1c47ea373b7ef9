package emu

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// usualBytesPerRank is about what a rank takes at most in an ordinary protocol: goroutine, stack,
// channel and messages.
const usualBytesPerRank = 3300

// CheckMemory refuses what cannot fit into memory, which would end in a crash of the process
// instead of a message: machines of so many ranks, so many at a time. One that records events takes as much as
// three. It lets everything pass where it cannot tell.
func CheckMemory(ranks, machines int) error { return checkMemory(ranks, machines, availableMemory) }

func checkMemory(ranks, machines int, available func() (int64, bool)) error {
	bytes, known := available()
	perRank := int64(machines) * usualBytesPerRank
	if need := int64(ranks) * perRank; known && need > bytes {
		return fmt.Errorf("not enough memory for P=%d: about %.1f GB, and there are %.1f GB; want P=%d or less",
			ranks, float64(need)/1e9, float64(bytes)/1e9, bytes/perRank)
	}
	return nil
}

// availableMemory is how much memory programs can still get, where Linux says so.
func availableMemory() (bytes int64, known bool) {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "MemAvailable:"); ok {
			var kilobytes int64
			_, err := fmt.Sscan(text, &kilobytes)
			return kilobytes << 10, err == nil
		}
	}
	return 0, false
}
