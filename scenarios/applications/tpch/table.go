package tpch

import (
	"io"
	"strconv"
)

// Table is one of the database as text: a line of column names, then a row a line, columns with | between them. Prices and
// discounts are decimals. TPC-H's own .tbl files have all columns, so they need no names, and a | at the end of a row.
type Table struct {
	Name    string // as in the specification
	columns string
	count   int
	// append adds the rows of the n-th customer or order, from 0.
	append func(text []byte, n int) []byte
}

// Write writes the table. It takes as much memory as a row, and a second for some ten million rows.
func (t Table) Write(w io.Writer) error {
	text := append([]byte(t.columns), '\n')
	for n := range t.count {
		text = t.append(text, n)
		if len(text) >= atATime {
			if _, err := w.Write(text); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	_, err := w.Write(text)
	return err
}

// atATime is how many bytes are written at once, or a row more.
const atATime = 1 << 16

// Tables are customer, orders and lineitem.
func (db Database) Tables() []Table {
	rows, days := db.generator(), dayTexts()
	return []Table{
		{"customer", "c_custkey|c_mktsegment", db.customerCount(), func(text []byte, n int) []byte {
			row := rows.customerAt(n)
			text = append(strconv.AppendInt(text, int64(row.key), 10), '|')
			return append(append(text, row.segment.String()...), '\n')
		}},
		{"orders", "o_orderkey|o_custkey|o_orderdate|o_shippriority", db.orderCount(), func(text []byte, n int) []byte {
			row := rows.orderAt(n)
			text = append(strconv.AppendInt(text, row.key, 10), '|')
			text = append(strconv.AppendInt(text, int64(row.customer), 10), '|')
			text = append(append(text, days[row.date]...), '|')
			return append(strconv.AppendInt(text, int64(row.shipPriority), 10), '\n')
		}},
		{"lineitem", "l_orderkey|l_extendedprice|l_discount|l_shipdate", db.orderCount(), func(text []byte, n int) []byte {
			order := rows.orderAt(n)
			for i := range rows.lineitemsAt(n) {
				row := rows.lineitemAt(n, i, order)
				text = append(strconv.AppendInt(text, row.order, 10), '|')
				text = append(appendDecimal(text, int64(row.extendedPrice), 2), '|')
				text = append(appendDecimal(text, int64(row.discount), 2), '|')
				text = append(append(text, days[row.shipDate]...), '\n')
			}
			return text
		}},
	}
}

// dayTexts are all days of the data as text, which would take longer than the rest of a row.
func dayTexts() []string {
	days := make([]string, lastDate+1)
	for day := range days {
		days[day] = Date(day).String()
	}
	return days
}

// appendDecimal writes so many of the smallest units, 0 or more, with a point before the last digits: 5 cents are 0.05.
func appendDecimal(text []byte, units int64, digits int) []byte {
	one := int64(1)
	for range digits {
		one *= 10
	}
	text = append(strconv.AppendInt(text, units/one, 10), '.')
	for one /= 10; one > 0; one /= 10 {
		text = append(text, byte('0'+units/one%10))
	}
	return text
}
