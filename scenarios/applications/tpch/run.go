package tpch

import "sort"

// Run answers the query by looking at every order of the database, one after the other. It
// needs no memory to speak of, and about 30 ms for each unit of scale.
//
// This is the reference for the pieces, and repeats on purpose what they do: whatever is wrong
// in one of partitions, sets, revenue or order of results is not wrong here as well.
func (q Query) Run(db Database) []Result {
	var best []Result
	rows := db.generator()
	for row := range db.orderCount() {
		order := rows.orderAt(row)
		customer := rows.customerAt(int(order.customer) - 1)
		if customer.segment != q.Segment || order.date >= q.Date {
			continue
		}
		result := Result{Order: order.key, Date: order.date, ShipPriority: order.shipPriority}
		shipped := true
		for i := range rows.lineitemsAt(row) {
			if line := rows.lineitemAt(row, i, order); line.shipDate > q.Date {
				result.Revenue += int64(line.extendedPrice) * (100 - int64(line.discount))
				shipped = false
			}
		}
		if !shipped {
			best = firstTen(append(best, result))
		}
	}
	return best
}

// firstTen sorts results as the answer does, and drops all but ten.
func firstTen(results []Result) []Result {
	sort.Slice(results, func(i, j int) bool {
		a, b := results[i], results[j]
		if a.Revenue != b.Revenue {
			return a.Revenue > b.Revenue
		}
		if a.Date != b.Date {
			return a.Date < b.Date
		}
		return a.Order < b.Order
	})
	if len(results) > 10 {
		results = results[:10]
	}
	return results
}
