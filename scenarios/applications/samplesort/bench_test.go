package samplesort_test

import (
	"testing"

	"github.com/mangrove-emu/mangrove/scenarios/applications/samplesort"
)

// BenchmarkSteps takes each step as one of 256 tasks with 10,000 numbers does.
func BenchmarkSteps(b *testing.B) {
	const tasks, share, sample = 256, 10_000, 32
	source := samplesort.Source{Seed: 1, Elements: tasks * share}
	numbers := source.Numbers(0, tasks)
	splitters := samplesort.Source{Seed: 2, Elements: tasks * sample}.Numbers(0, 1)
	pivots := samplesort.Pivots(splitters, tasks)
	groups := samplesort.Group(numbers, pivots)
	for _, step := range []struct {
		name string
		run  func()
	}{
		{"numbers", func() { source.Numbers(0, tasks) }},
		{"splitters", func() { samplesort.Splitters(numbers, sample, source.Rand(0)) }},
		{"pivots", func() { samplesort.Pivots(splitters, tasks) }},
		{"group", func() { samplesort.Group(numbers, pivots) }},
		{"join", func() { samplesort.Join(groups...) }},
	} {
		b.Run(step.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				step.run()
			}
		})
	}
}
