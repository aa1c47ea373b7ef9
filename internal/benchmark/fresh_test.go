package benchmark

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMetricsOfAProcess(t *testing.T) {
	const line = "BenchmarkBroadcast/P=4/cold-2 \t 1\t 2012928473 ns/op\t  3268 B/rank\t 0.5 ranks/s\n"
	found, err := parseMetrics("goos: linux\n" + line + "PASS\n")
	require.NoError(t, err)
	require.Equal(t, Metrics{"ns/op": 2012928473, "B/rank": 3268, "ranks/s": 0.5}, found)
	_, err = parseMetrics("goos: linux\nPASS\n")
	require.ErrorContains(t, err, "no benchmark ran")
	_, err = parseMetrics(line + line)
	require.ErrorContains(t, err, "several benchmarks ran")
	_, err = parseMetrics("BenchmarkX 1 many ns/op\n")
	require.ErrorContains(t, err, `"many" is no value`)
}
