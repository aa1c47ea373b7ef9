package tpch_test

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
)

// Four tasks answer query 3 together. Between the pieces they would send to each other what is
// handed over in variables here.
func Example() {
	const tasks = 4
	database := tpch.Database{Scale: 0.01, Seed: 1}
	query := tpch.Default()

	lists := make([][]int32, tasks) // all tasks get all lists
	for task := range tasks {
		lists[task] = query.Customers(database.Partition(task, tasks))
	}
	known := tpch.NewSet(lists...)

	var answer []tpch.Result // a reduction
	for task := range tasks {
		answer = tpch.Merge(answer, query.Top(database.Partition(task, tasks), known))
	}
	for _, row := range answer {
		fmt.Println(row.Order, row.RevenueText(), row.Date, row.ShipPriority)
	}
	// Output:
	// 40932 297700.0168 1995-01-29 0
	// 46113 295312.5173 1995-02-28 0
	// 45765 277747.5762 1995-03-09 0
	// 20737 269076.1950 1995-03-01 0
	// 22913 251446.2710 1995-03-08 0
	// 22180 242887.2816 1995-03-12 0
	// 15649 242644.0236 1995-02-08 0
	// 58119 224499.3579 1995-03-05 0
	// 5637 210473.5907 1995-03-07 0
	// 27143 210086.0320 1995-02-08 0
}

// Rows are not stored, so a partition is as small as another.
func ExamplePartition() {
	part := tpch.Database{Scale: 1, Seed: 1}.Partition(999, 1000)
	fmt.Println(part.Rows(), "rows")
	// Output: 7559 rows
}
