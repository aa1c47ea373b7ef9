package tpch

// customerRow is a row of the table customer.
type customerRow struct {
	key     int32   // c_custkey, from 1
	segment Segment // c_mktsegment
}

// orderRow is a row of the table orders.
type orderRow struct {
	key          int64 // o_orderkey, from 1, with gaps
	customer     int32 // o_custkey
	date         Date  // o_orderdate
	shipPriority int16 // o_shippriority, always 0
}

// lineitemRow is a row of the table lineitem: so many of one part, in one order.
type lineitemRow struct {
	order         int64 // l_orderkey
	extendedPrice int32 // l_extendedprice, in cents
	shipDate      Date  // l_shipdate
	discount      int8  // l_discount, in percent
}

// maxLineitems is the largest number of lineitems in an order.
const maxLineitems = 7

// orderKey is the key of the order in a row. Of every 32 keys only the first 8 are in use
// (TPC-H, section 4.2.3). Counting starts at 1 here, since no order has key 0.
func orderKey(row int) int64 {
	n := int64(row) + 1
	return n/8*32 + n%8
}

// buyer is the n-th customer, from 0, who places orders at all: those whose key is divisible
// by three do not (section 4.2.3).
func buyer(n int) int32 { return int32(n/2*3 + n%2 + 1) }

// buyers is how many of the customers place orders.
func buyers(customers int) int { return customers - customers/3 }

// retailPrice is the price of a part in cents (section 4.2.3).
func retailPrice(part int) int { return 90_000 + part/10%20_001 + 100*(part%1000) }
