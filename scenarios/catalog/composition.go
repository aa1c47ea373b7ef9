package catalog

import "github.com/mangrove-emu/mangrove/protocols/collective"

// composition is the operator of the reductions of a line. It is associative, as it has to be, and does not commute, so that
// a result also shows the order in which values were combined: each number is the function a*x+b modulo a prime, with a in its
// upper and b in its lower half, and two of them are combined into the one that does the second first.
var composition = collective.Elementwise(func(f, g int64) int64 {
	const prime = 1<<31 - 1
	upper := func(x int64) uint64 { return uint64(x) >> 32 % prime }
	lower := func(x int64) uint64 { return uint64(x) & (1<<32 - 1) % prime }
	a := upper(f) * upper(g) % prime
	b := (upper(f)*lower(g) + lower(f)) % prime
	return int64(a<<32 | b)
})
