// Package tpch has the database of the TPC-H benchmark and its query 3, cut into the pieces
// that tasks compute when the database is spread over them. It is arithmetic only; nothing
// here sends.
//
// # The database
//
// A [Database] is a scale and a seed. Of TPC-H's eight tables it has the three that query 3
// reads, with the columns that it reads, in the numbers, ranges and proportions of the TPC-H
// specification, section 4.2:
//
//	customer    150,000 for each unit of scale
//	orders    1,500,000 for each unit of scale
//	lineitem  1 to 7 for each order
//
// Rows are not those of TPC's own generator, so answers differ from its published ones.
//
// No row is stored. Each is a function of the seed and of its number, and is computed when
// asked for. So the database, and with it the answer, does not depend on who asks: the same
// rows come out of one partition or of a thousand, and a task that takes over the partition of
// a failed one finds all that was there.
//
// # Partitions
//
// A [Partition] is one range of the customers and one of the orders, and lineitems live with
// their order. Joining orders with lineitems is local work therefore; joining customers with
// orders needs the customers of all partitions.
//
// # The query
//
// [Query] 3 asks for the ten orders of most revenue among those that customers of one market
// segment have placed before a date, and that were not all shipped by then (section 2.4.3):
//
//	Query.Customers   each task: its customers of the segment
//	NewSet            all tasks' customers, once everybody has them
//	Query.Top         each task: its best ten orders
//	Merge             the best ten of two tasks; a reduction of it is the answer
//
// [Query.Run] answers it without partitions. It shares nothing with the pieces but the rows,
// and is what their answer is compared with.
//
// # For others
//
// [Database.Tables] are the tables as text, and [Query.SQL] is a script with which sqlite3 answers the query on them.
//
// # Units
//
// A [Date] is in days, a price in cents, a discount in percent. Revenue is in hundredths of a
// cent: price times 100 minus discount is exact there, so sums do not depend on their order.
//
// # Where to read next
//
// row.go has the columns, generate.go how they are drawn, query.go the pieces.
package tpch
