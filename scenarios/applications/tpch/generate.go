package tpch

// generator computes rows, each from its number alone. All ranges are those of the TPC-H
// specification, section 4.2.3.
type generator struct {
	customer, order, lineitem stream
	buyers, parts             int
}

func (db Database) generator() generator {
	return generator{
		customer: newStream(db.Seed, customerTable),
		order:    newStream(db.Seed, orderTable),
		lineitem: newStream(db.Seed, lineitemTable),
		buyers:   buyers(db.CustomerCount()),
		parts:    db.rows(200_000),
	}
}

func (g *generator) customerAt(row int) Customer {
	draw := g.customer.row(row)
	return Customer{Key: int32(row + 1), Segment: Segment(draw.below(len(segmentNames)))}
}

// lineitemsAt is how many the order in a row has.
func (g *generator) lineitemsAt(row int) int {
	draw := g.order.row(row)
	return drawLineitems(&draw)
}

// drawLineitems comes first of all that is drawn for an order, so that lineitems can be counted
// without it.
func drawLineitems(draw *draws) int { return 1 + draw.below(MaxLineitems) }

func (g *generator) orderAt(row int) Order {
	draw := g.order.row(row)
	drawLineitems(&draw)
	return Order{
		Key:      orderKey(row),
		Customer: buyer(draw.below(g.buyers)),
		Date:     Date(draw.below(int(lastOrder) + 1)),
	}
}

// lineitemAt is the i-th lineitem, from 0, of the order in a row.
func (g *generator) lineitemAt(row, i int, order Order) Lineitem {
	draw := g.lineitem.row(row*MaxLineitems + i)
	quantity := 1 + draw.below(50)
	part := 1 + draw.below(g.parts)
	return Lineitem{
		Order:         order.Key,
		ExtendedPrice: int32(quantity * retailPrice(part)),
		Discount:      int8(draw.below(11)),
		ShipDate:      order.Date + 1 + Date(draw.below(121)),
	}
}
