// Package allreduce combines one value of every rank and tells all ranks the result,
// although some of them fail: a corrected reduce, then a corrected broadcast from the same
// root (Corrected Trees, section 1).
//
// What the reduce promises, see package reduce, every live rank gets as long as the
// broadcast reaches it. With failure-proof correction both parts stand the same number of
// failures at any time, as long as the root lives.
package allreduce
