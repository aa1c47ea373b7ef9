// Package house has the tests of the house as a whole: which room may know of which, and whether what
// documents say and show is so. It has no code of its own.
package house
