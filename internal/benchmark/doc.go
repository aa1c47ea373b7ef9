// Package benchmark has what the benchmarks of several packages share: sizes and machines, cold runs in
// processes of their own, peaks of memory, rates, and the raw cost of waking a goroutine, which is the
// yardstick. Speed and memory are measured in benchmarks, never in tests.
//
// Every test binary that imports it knows the flag -bench-huge, for 2^22 ranks.
//
// Next: bench_test.go at the root of the module; docs/benchmarks.md for what they measured.
package benchmark
