package tpch

import (
	"fmt"
	"math"
)

// The scales that a Database may have. TPC-H's own are from 1 on; smaller ones are for tests.
const (
	MinScale = 1e-6
	MaxScale = 1000
)

// Database is all rows of one scale and seed. Seed 0 is a seed like any other. A Database is
// safe for concurrent use, as is all that comes from it.
type Database struct {
	// Scale is the scale factor SF of TPC-H. All eight tables of scale 1 take about 1 GB.
	Scale float64
	Seed  uint64
}

// validate says what is wrong with the scale. All other methods panic if something is.
func (db Database) validate() error {
	if db.Scale >= MinScale && db.Scale <= MaxScale { // not so if it is NaN
		return nil
	}
	return fmt.Errorf("tpch: scale = %v, want %v to %v", db.Scale, MinScale, MaxScale)
}

// customerCount is the number of customers: 150,000 times the scale, but at least one. Their
// keys are 1 to customerCount.
func (db Database) customerCount() int { return db.rows(150_000) }

// orderCount is the number of orders: 1,500,000 times the scale, but at least one.
func (db Database) orderCount() int { return db.rows(1_500_000) }

// Partition is the i-th of n partitions, from 0. Their numbers of customers differ by one at
// most, and so do those of orders. If there are more partitions than rows, the last are empty.
func (db Database) Partition(i, n int) Partition {
	if i < 0 || i >= n {
		panic(fmt.Sprintf("tpch: partition %d of %d, want 0 to %d", i, n, n-1))
	}
	return Partition{
		generator: db.generator(),
		customers: share(db.customerCount(), i, n),
		orders:    share(db.orderCount(), i, n),
	}
}

// rows is how many there are of a table with that many rows at scale 1. The product is
// rounded since it is not exact: a scale of 0.07 must not lack a row.
func (db Database) rows(unit float64) int {
	if err := db.validate(); err != nil {
		panic(err)
	}
	return max(1, int(math.Round(unit*db.Scale)))
}
