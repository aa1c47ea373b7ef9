// Package scale predicts how long a broadcast takes whose ranks many hosts share (docs/clusters.md). Constants are measured on one host; the
// network between hosts is assumed. [Job.Predict] is the formula, [Measured] has the constants and the commands that measured them.
//
// Next: bench_test.go, which measures constants; scale_test.go, which holds predictions against measurements and writes the tables of the document.
package scale
