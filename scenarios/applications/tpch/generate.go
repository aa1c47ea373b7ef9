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
		buyers:   buyers(db.customerCount()),
		parts:    db.rows(200_000),
	}
}

func (g *generator) customerAt(row int) customerRow {
	draw := g.customer.row(row)
	return customerRow{key: int32(row + 1), segment: Segment(draw.below(len(segmentNames)))}
}

// lineitemsAt is how many the order in a row has.
func (g *generator) lineitemsAt(row int) int {
	draw := g.order.row(row)
	return drawLineitems(&draw)
}

// drawLineitems comes first of all that is drawn for an order, so that lineitems can be counted
// without it.
func drawLineitems(draw *draws) int { return 1 + draw.below(maxLineitems) }

func (g *generator) orderAt(row int) orderRow {
	draw := g.order.row(row)
	drawLineitems(&draw)
	return orderRow{
		key:      orderKey(row),
		customer: buyer(draw.below(g.buyers)),
		date:     Date(draw.below(int(lastOrder) + 1)),
	}
}

// lineitemAt is the i-th lineitem, from 0, of the order in a row.
func (g *generator) lineitemAt(row, i int, order orderRow) lineitemRow {
	draw := g.lineitem.row(row*maxLineitems + i)
	quantity := 1 + draw.below(50)
	part := 1 + draw.below(g.parts)
	return lineitemRow{
		order:         order.key,
		extendedPrice: int32(quantity * retailPrice(part)),
		discount:      int8(draw.below(11)),
		shipDate:      order.date + 1 + Date(draw.below(121)),
	}
}
