package traceevent_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func BenchmarkWrite(b *testing.B) {
	for _, ranks := range []int{1 << 10, 1 << 16} {
		b.Run(fmt.Sprintf("broadcast/P=%d", ranks), func(b *testing.B) {
			run := ofLine(b, fmt.Sprintf("broadcast P=%d faults=crash:1%%", ranks))
			b.ReportAllocs()
			var size counter
			for b.Loop() {
				size = 0
				require.NoError(b, traceevent.Write(&size, run))
			}
			events, perOp := float64(len(run.Report.Events)), b.Elapsed().Seconds()/float64(b.N)
			b.ReportMetric(events/perOp, "events/s")
			b.ReportMetric(float64(size)/events, "B/event")
			b.ReportMetric(float64(size)/float64(run.Report.Messages), "B/msg")
			b.ReportMetric(float64(size)/1e6, "MB")
		})
	}
}
