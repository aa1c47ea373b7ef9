package benchmark

import (
	"runtime/debug"
	"testing"

	"github.com/mangrove-emu/mangrove/report"
)

// Cold measures runs that include making their machine, and reports rates and the peak of memory.
func Cold(b *testing.B, run func() *report.Report) {
	var peak float64
	var last *report.Report
	for b.Loop() {
		b.StopTimer()
		last = nil
		debug.FreeOSMemory()
		before := ResetPeak(b)
		b.StartTimer()
		last = run()
		b.StopTimer()
		peak = max(peak, PerRank(b, before, last.LogP.Ranks))
		b.StartTimer()
	}
	ReportRates(b, last)
	b.ReportMetric(peak, "B/rank")
}

// ReportRates reports how many ranks and messages a second the measured runs had, and what a wake took.
// All of them were like this one.
func ReportRates(b *testing.B, rep *report.Report) {
	perRun := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(rep.LogP.Ranks)/perRun, "ranks/s")
	b.ReportMetric(float64(rep.Messages)/perRun, "msgs/s")
	b.ReportMetric(perRun*1e9/float64(rep.Wakes), "ns/wake")
}
