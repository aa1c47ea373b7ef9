package tpch

import "iter"

// Partition is what one task has of a [Database]: a range of customers, and a range of orders
// with their lineitems. It is a few words in size, however many rows it has.
type Partition struct {
	generator         generator
	customers, orders span
}

// Customers are those of this partition, in the order of their keys.
func (p Partition) Customers() iter.Seq[Customer] {
	return func(yield func(Customer) bool) {
		for row := p.customers.from; row < p.customers.to; row++ {
			if !yield(p.generator.customerAt(row)) {
				return
			}
		}
	}
}

// Orders are those of this partition, in the order of their keys.
func (p Partition) Orders() iter.Seq[Order] {
	return func(yield func(Order) bool) {
		for row := p.orders.from; row < p.orders.to; row++ {
			if !yield(p.generator.orderAt(row)) {
				return
			}
		}
	}
}

// Lineitems appends those of an order to a list, MaxLineitems at most. An order that is not in
// this partition has none here.
func (p Partition) Lineitems(order Order, list []Lineitem) []Lineitem {
	row := orderRow(order.Key)
	if row < p.orders.from || row >= p.orders.to || orderKey(row) != order.Key {
		return list
	}
	for i := range p.generator.lineitemsAt(row) {
		list = append(list, p.generator.lineitemAt(row, i, order))
	}
	return list
}

// Rows is the number of rows of all three tables. It counts the lineitems of every order,
// which takes a few nanoseconds for each.
func (p Partition) Rows() int { return p.customers.len() + p.orders.len() + p.lineitems() }

// Bytes is the size of these rows where they are stored as TPC-H has them, with all columns of
// the specification and not only those of query 3: about 855 MB for each unit of scale, the
// rest of the usual 1 GB being other tables. It takes as long as Rows.
func (p Partition) Bytes() int {
	return p.customers.len()*customerBytes + p.orders.len()*orderBytes + p.lineitems()*lineitemBytes
}

func (p Partition) lineitems() int {
	count := 0
	for row := p.orders.from; row < p.orders.to; row++ {
		count += p.generator.lineitemsAt(row)
	}
	return count
}

// span is the rows from one to before another.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// share is the i-th of n spans of rows as equal as can be: the first ones have one row more.
func share(rows, i, n int) span {
	each, more := rows/n, rows%n
	start := func(i int) int { return i*each + min(i, more) }
	return span{from: start(i), to: start(i + 1)}
}
