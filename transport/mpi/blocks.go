//go:build mpi

package mpi

import (
	"encoding/binary"
	"fmt"
)

// What goes through an operation of the library, and what must come out.

// numberBytes is the size of a number that is added to others.
const numberBytes = 8

// fill makes what goes out, and room for what comes in, where nothing is as it must become: an operation that does nothing is seen.
func (c *nativeCall) fill() {
	bytes := int(c.bytes)
	c.out, c.in = make([]byte, c.native.out(c)*bytes), make([]byte, c.native.in(c)*bytes)
	for i := range c.native.in(c) {
		block := c.in[i*bytes : (i+1)*bytes]
		switch {
		case c.sums:
			fillNumbers(block, ^c.sum())
		case c.stays && c.job.index == c.root:
			fillBytes(block, c.pattern(c.root, 0))
		default:
			fillBytes(block, ^c.pattern(c.sender(i), c.job.index))
		}
	}
	for to := range c.native.out(c) {
		block := c.out[to*bytes : (to+1)*bytes]
		if c.sums {
			fillNumbers(block, int64(c.job.index)+int64(c.mark))
			continue
		}
		fillBytes(block, c.pattern(c.job.index, to))
	}
}

// wrong says what is wrong with what came in.
func (c *nativeCall) wrong() string {
	bytes := int(c.bytes)
	for i := range c.native.in(c) {
		block := c.in[i*bytes : (i+1)*bytes]
		if c.sums {
			if problem := wrongNumber(block, c.sum()); problem != "" {
				return problem
			}
			continue
		}
		if problem := wrongByte(block, c.pattern(c.sender(i), c.job.index)); problem != "" {
			return fmt.Sprintf("from process %d: %s", c.sender(i), problem)
		}
	}
	return ""
}

// sum is what the numbers of all processes come to.
func (c *nativeCall) sum() int64 {
	count := int64(c.job.count)
	return count*(count-1)/2 + count*int64(c.mark)
}

// sender is who has sent the i-th block that came in.
func (c *nativeCall) sender(i int) int {
	if c.native.in(c) == c.job.count {
		return i
	}
	return c.root
}

// pattern is what a block consists of, from process to process.
func (c *nativeCall) pattern(from, to int) byte {
	if !c.each {
		to = 0
	}
	return byte(31*from+7*to) + c.mark
}

func fillBytes(block []byte, value byte) {
	for i := range block {
		block[i] = value
	}
}

func wrongByte(block []byte, want byte) string {
	for i, got := range block {
		if got != want {
			return fmt.Sprintf("byte %d is %d, want %d", i, got, want)
		}
	}
	return ""
}

func fillNumbers(block []byte, value int64) {
	for i := 0; i < len(block); i += numberBytes {
		binary.NativeEndian.PutUint64(block[i:], uint64(value))
	}
}

func wrongNumber(block []byte, want int64) string {
	for i := 0; i < len(block); i += numberBytes {
		if got := int64(binary.NativeEndian.Uint64(block[i:])); got != want {
			return fmt.Sprintf("number %d is %d, want %d", i/numberBytes, got, want)
		}
	}
	return ""
}
