package tpch

// Customer is a row of the table customer.
type Customer struct {
	Key     int32   // c_custkey, from 1
	Segment Segment // c_mktsegment
}

// Order is a row of the table orders.
type Order struct {
	Key          int64 // o_orderkey, from 1, with gaps
	Customer     int32 // o_custkey
	Date         Date  // o_orderdate
	ShipPriority int16 // o_shippriority, always 0
}

// Lineitem is a row of the table lineitem: so many of one part, in one order.
type Lineitem struct {
	Order         int64 // l_orderkey
	ExtendedPrice int32 // l_extendedprice, in cents
	ShipDate      Date  // l_shipdate
	Discount      int8  // l_discount, in percent
}

// MaxLineitems is the largest number of lineitems in an order.
const MaxLineitems = 7

// Rows of TPC-H in bytes, with all their columns (TPC-H, section 4.2.5.1).
const (
	customerBytes = 179
	orderBytes    = 104
	lineitemBytes = 112
)

// orderKey is the key of the order in a row. Of every 32 keys only the first 8 are in use
// (TPC-H, section 4.2.3). Counting starts at 1 here, since no order has key 0.
func orderKey(row int) int64 {
	n := int64(row) + 1
	return n/8*32 + n%8
}

// orderRow is the row of an order; it takes back orderKey. A key that is not in use leads to
// the row of another.
func orderRow(key int64) int { return int(key/32*8+key%32) - 1 }

// buyer is the n-th customer, from 0, who places orders at all: those whose key is divisible
// by three do not (section 4.2.3).
func buyer(n int) int32 { return int32(n/2*3 + n%2 + 1) }

// buyers is how many of the customers place orders.
func buyers(customers int) int { return customers - customers/3 }

// retailPrice is the price of a part in cents (section 4.2.3).
func retailPrice(part int) int { return 90_000 + part/10%20_001 + 100*(part%1000) }
