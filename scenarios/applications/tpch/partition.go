package tpch

// Partition is what one task has of a [Database]: a range of customers, and a range of orders
// with their lineitems. It is a few words in size, however many rows it has.
type Partition struct {
	generator         generator
	customers, orders span
}

// Rows is the number of rows of all three tables. It counts the lineitems of every order,
// which takes a few nanoseconds for each.
func (p Partition) Rows() int {
	count := p.customers.to - p.customers.from + p.orders.to - p.orders.from
	for row := p.orders.from; row < p.orders.to; row++ {
		count += p.generator.lineitemsAt(row)
	}
	return count
}

// span is the rows from one to before another.
type span struct{ from, to int }

// share is the i-th of n spans of rows as equal as can be: the first ones have one row more.
func share(rows, i, n int) span {
	each, more := rows/n, rows%n
	start := func(i int) int { return i*each + min(i, more) }
	return span{from: start(i), to: start(i + 1)}
}
