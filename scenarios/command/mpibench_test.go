//go:build mpi

package command

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// BenchmarkMPIJob compares one process with two workers with several processes that share the ranks, by turns, so that an hour in
// which others need the processors counts for both. Times are those that reports have: without what mpirun takes to start processes.
//
//	go test -tags mpi -run '^$' -bench MPIJob -benchtime 6x ./scenarios/command
func BenchmarkMPIJob(b *testing.B) {
	ranks := 1 << 18
	if testing.Short() {
		ranks = 1 << 12
	}
	for _, numbering := range []string{"interleaved", "in-order"} {
		for _, job := range []struct{ processes, workers int }{{2, 1}, {2, 2}, {4, 1}} {
			b.Run(fmt.Sprintf("%s/P=%d/processes=%d/workers=%d", numbering, ranks, job.processes, job.workers), func(b *testing.B) {
				words := []string{"run", "broadcast", fmt.Sprint("P=", ranks), "numbering=" + numbering}
				var alone, together took
				for b.Loop() {
					alone.add(b, 1, append(words, "--workers", "2"))
					together.add(b, job.processes, append(words, "--workers", fmt.Sprint(job.workers)))
				}
				require.Equal(b, alone.hash, together.hash)
				b.ReportMetric(median(alone.seconds), "s-alone")
				b.ReportMetric(median(together.seconds), "s-job")
				b.ReportMetric(median(ratios(together.seconds, alone.seconds)), "x-alone")
				b.ReportMetric(median(together.bytes), "B/rank")
				b.ReportMetric(median(ratios(together.bytes, alone.bytes)), "x-bytes")
			})
		}
	}
}

// took is what reports of the same line have measured.
type took struct {
	seconds, bytes []float64
	hash           string
}

// median is the middle one of some numbers.
func median(numbers []float64) float64 {
	var sample stats.Sample
	sample.Add(numbers...)
	return sample.Median()
}

// ratios are how many times as large numbers are as others, one by one.
func ratios(these, those []float64) []float64 {
	all := make([]float64, len(these))
	for i := range all {
		all[i] = these[i] / those[i]
	}
	return all
}

var (
	measuredLine = regexp.MustCompile(`\nmeasured: (\S+) wall time, (\d+) bytes per rank\n`)
	hashLine     = regexp.MustCompile(`\nhash +([0-9a-f]+)\n`)
)

// add adds one run in an MPI job.
func (m *took) add(b *testing.B, processes int, args []string) {
	b.Helper()
	r := underMPI(b, processes, args...)
	require.Equal(b, statusHeld, r.status, "%s%s", r.stdout, r.stderr)
	found := measuredLine.FindStringSubmatch(r.stdout)
	require.NotNil(b, found, r.stdout)
	wall, err := time.ParseDuration(found[1])
	require.NoError(b, err)
	bytes, err := strconv.ParseFloat(found[2], 64)
	require.NoError(b, err)
	m.seconds, m.bytes = append(m.seconds, wall.Seconds()), append(m.bytes, bytes)
	hash := hashLine.FindStringSubmatch(r.stdout)
	require.NotNil(b, hash, r.stdout)
	m.hash = hash[1]
}
