package tpch_test

import (
	"testing"

	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
)

// BenchmarkGenerate computes all rows of a database, on one core.
func BenchmarkGenerate(b *testing.B) {
	b.ReportAllocs()
	part := tpch.Database{Scale: 0.1, Seed: 1}.Partition(0, 1)
	lines := make([]tpch.Lineitem, 0, tpch.MaxLineitems)
	orders, lineitems := 0, 0
	for b.Loop() {
		for range part.Customers() {
		}
		for order := range part.Orders() {
			lines = part.Lineitems(order, lines[:0])
			orders, lineitems = orders+1, lineitems+len(lines)
		}
	}
	b.ReportMetric(float64(orders)/b.Elapsed().Seconds(), "orders/s")
	b.ReportMetric(float64(lineitems)/b.Elapsed().Seconds(), "lineitems/s")
}

// BenchmarkQuery answers query 3 at scale 0.1, whole and as one of the pieces.
func BenchmarkQuery(b *testing.B) {
	database, query := tpch.Database{Scale: 0.1, Seed: 1}, tpch.Default()
	part := database.Partition(0, 1)
	known := tpch.NewSet(query.Customers(part))
	for _, piece := range []struct {
		name string
		run  func()
	}{
		{"run", func() { query.Run(database) }},
		{"customers", func() { query.Customers(part) }},
		{"top", func() { query.Top(part, known) }},
		{"rows", func() { part.Rows() }},
	} {
		b.Run(piece.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				piece.run()
			}
		})
	}
}

// BenchmarkMerge is what a rank of a reduction does for each child.
func BenchmarkMerge(b *testing.B) {
	b.ReportAllocs()
	database, query := tpch.Database{Scale: 0.01, Seed: 1}, tpch.Default()
	all := database.Partition(0, 1)
	known := tpch.NewSet(query.Customers(all))
	left, right := query.Top(database.Partition(0, 2), known), query.Top(database.Partition(1, 2), known)
	for b.Loop() {
		tpch.Merge(left, right)
	}
}
