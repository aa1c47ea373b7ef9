package tpch

import "testing"

// BenchmarkGenerate computes all rows of a database, on one core.
func BenchmarkGenerate(b *testing.B) {
	b.ReportAllocs()
	part := Database{Scale: 0.1, Seed: 1}.Partition(0, 1)
	orders, lineitems := 0, 0
	for b.Loop() {
		for row := range part.customers.to {
			part.generator.customerAt(row)
		}
		for row := range part.orders.to {
			order, size := part.generator.orderAt(row), part.generator.lineitemsAt(row)
			for i := range size {
				part.generator.lineitemAt(row, i, order)
			}
			orders, lineitems = orders+1, lineitems+size
		}
	}
	b.ReportMetric(float64(orders)/b.Elapsed().Seconds(), "orders/s")
	b.ReportMetric(float64(lineitems)/b.Elapsed().Seconds(), "lineitems/s")
}

// BenchmarkQuery answers query 3 at scale 0.1, whole and as one of the pieces.
func BenchmarkQuery(b *testing.B) {
	database, query := Database{Scale: 0.1, Seed: 1}, Default()
	part := database.Partition(0, 1)
	known := NewSet(query.Customers(part))
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
	database, query := Database{Scale: 0.01, Seed: 1}, Default()
	all := database.Partition(0, 1)
	known := NewSet(query.Customers(all))
	left, right := query.Top(database.Partition(0, 2), known), query.Top(database.Partition(1, 2), known)
	for b.Loop() {
		Merge(left, right)
	}
}
