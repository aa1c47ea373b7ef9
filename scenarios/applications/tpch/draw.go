package tpch

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/internal/splitmix"
)

// The tables have random numbers of their own.
const (
	customerTable = iota + 1
	orderTable
	lineitemTable
)

// stream is the random numbers of one table: one for each row, found without those before.
type stream uint64

func newStream(seed, table uint64) stream {
	return stream(splitmix.Scramble(splitmix.Scramble(seed) + table))
}

// row is the random number of a row.
func (s stream) row(n int) draws { return draws(splitmix.At(uint64(s), uint64(n))) }

// draws is a random number from which several smaller ones are drawn. It is read as a fraction
// from 0 to 1: times n, the integer part is a number below n, and what remains is a fraction
// again. The columns of a row take less than 2^44 values together at the largest scale, so that
// each of them has the same chance to one part in 2^20.
type draws uint64

// below draws a number from 0 to n-1.
func (d *draws) below(n int) int {
	integer, fraction := bits.Mul64(uint64(*d), uint64(n))
	*d = draws(fraction)
	return int(integer)
}
