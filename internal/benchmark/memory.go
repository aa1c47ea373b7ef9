package benchmark

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ResetPeak makes the kernel forget the process's peak of resident memory, and returns
// how much is resident now, in bytes.
func ResetPeak(b *testing.B) int64 {
	err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	require.NoError(b, err)
	return statusField(b, "VmRSS:")
}

// PerRank is how far resident memory rose above what was there at ResetPeak, in bytes a rank.
func PerRank(b *testing.B, before int64, ranks int) float64 {
	return float64(statusField(b, "VmHWM:")-before) / float64(ranks)
}

func statusField(b *testing.B, name string) int64 {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(b, err)
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, name) {
			var kilobytes int64
			_, err := fmt.Sscanf(strings.TrimPrefix(line, name), "%d", &kilobytes)
			require.NoError(b, err)
			return kilobytes << 10
		}
	}
	b.Fatalf("no %s in /proc/self/status", name)
	return 0
}
