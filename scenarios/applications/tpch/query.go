package tpch

// Query is query 3, the shipping priority query, with its two parameters (TPC-H, section
// 2.4.3):
//
//	select l_orderkey, sum(l_extendedprice * (1 - l_discount)) as revenue,
//	       o_orderdate, o_shippriority
//	from   customer, orders, lineitem
//	where  c_mktsegment = [Segment] and c_custkey = o_custkey and l_orderkey = o_orderkey
//	       and o_orderdate < [Date] and l_shipdate > [Date]
//	group  by l_orderkey, o_orderdate, o_shippriority
//	order  by revenue desc, o_orderdate
//
// of which the first ten rows are the answer. Where the specification leaves their order open,
// the smaller order key comes first.
type Query struct {
	Segment Segment
	Date    Date
}

// Default is the query with the parameters that answers are validated with: BUILDING and
// 1995-03-15 (section 2.4.3.4).
func Default() Query { return Query{Segment: building, Date: 1169} }

// Customers are the keys of a partition's customers in the segment, in ascending order.
func (q Query) Customers(p Partition) []int32 {
	var keys []int32
	for row := p.customers.from; row < p.customers.to; row++ {
		if customer := p.generator.customerAt(row); customer.segment == q.Segment {
			keys = append(keys, customer.key)
		}
	}
	return keys
}

// Top is the best ten of a partition's orders, best first, or fewer if there are not as many.
// Known are the customers of the segment, of all partitions; orders of others do not count.
func (q Query) Top(p Partition, known Set) []Result {
	var best []Result
	for row := p.orders.from; row < p.orders.to; row++ {
		order := p.generator.orderAt(row)
		if order.date >= q.Date || !known.has(order.customer) {
			continue
		}
		if revenue := q.revenue(&p.generator, row, order); revenue > 0 {
			best = insert(best, Result{
				Order: order.key, Revenue: revenue, Date: order.date, ShipPriority: order.shipPriority,
			})
		}
	}
	return best
}

// revenue adds up what was not shipped by the date of the order in a row. Nothing is for free, so it
// is zero only if everything was.
func (q Query) revenue(rows *generator, row int, order orderRow) int64 {
	sum := int64(0)
	for i := range rows.lineitemsAt(row) {
		if line := rows.lineitemAt(row, i, order); line.shipDate > q.Date {
			sum += int64(line.extendedPrice) * int64(100-line.discount)
		}
	}
	return sum
}
