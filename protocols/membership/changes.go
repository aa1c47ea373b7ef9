package membership

import (
	"encoding/binary"
	"hash/fnv"
	"iter"
	"math"
	"sort"
)

// Changes is what has happened to the group since its start: for each rank that has left or
// come, how often that was. A rank is up or down by whether the number is even, so there is no
// need to know when, and of two Changes the higher number of each rank is the truth. Everybody
// arrives at the same Changes, in whatever order it hears of them.
//
// The text is that of messages: a rank and its number, four bytes each, ordered by rank. It
// cannot be changed, so ranks can share it: the view of a rank takes no memory of its own.
type Changes string

const recordBytes = 8

// Len is how many ranks have changed.
func (c Changes) Len() int { return len(c) / recordBytes }

// At returns the i-th of them.
func (c Changes) At(i int) (rank, number int) {
	record := []byte(c[i*recordBytes : (i+1)*recordBytes])
	return int(binary.BigEndian.Uint32(record)), int(binary.BigEndian.Uint32(record[4:]))
}

// atOrEnd is At, with a rank behind all others at the end.
func (c Changes) atOrEnd(i int) (rank, number int) {
	if i == c.Len() {
		return math.MaxInt, 0
	}
	return c.At(i)
}

// search returns the place of the first rank that is not lower.
func (c Changes) search(rank int) int {
	return sort.Search(c.Len(), func(i int) bool {
		other, _ := c.At(i)
		return other >= rank
	})
}

// Number is how often a rank has left or come.
func (c Changes) Number(rank int) int {
	if other, number := c.atOrEnd(c.search(rank)); other == rank {
		return number
	}
	return 0
}

// Total is how many changes there are.
func (c Changes) Total() (total int) {
	for i := range c.Len() {
		_, number := c.At(i)
		total += number
	}
	return total
}

// Digest tells Changes apart in a message's header.
func (c Changes) Digest() uint32 {
	h := fnv.New32a()
	h.Write([]byte(c))
	return h.Sum32()
}

// With returns the changes with another number for one rank.
func (c Changes) With(rank, number int) Changes {
	return c.Merge(Changes(appendRecord(nil, rank, number)))
}

// Includes reports whether all of other is known here.
func (c Changes) Includes(other Changes) bool {
	if other == "" || other == c {
		return true
	}
	for _, n := range both(c, other) {
		if n[1] > n[0] {
			return false
		}
	}
	return true
}

// Beyond returns what is not known to other.
func (c Changes) Beyond(other Changes) Changes {
	var beyond []byte
	for rank, n := range both(c, other) {
		if n[0] > n[1] {
			beyond = appendRecord(beyond, rank, n[0])
		}
	}
	return Changes(beyond)
}

// Merge returns all that either knows. If one of them knows everything it is returned itself,
// so that what is shared stays shared.
func (c Changes) Merge(other Changes) Changes {
	switch {
	case c.Includes(other):
		return c
	case other.Includes(c):
		return other
	}
	var merged []byte
	for rank, n := range both(c, other) {
		merged = appendRecord(merged, rank, max(n[0], n[1]))
	}
	return Changes(merged)
}

// both goes through the ranks that have changed in either of two, with the numbers of both.
func both(a, b Changes) iter.Seq2[int, [2]int] {
	return func(yield func(rank int, numbers [2]int) bool) {
		for i, j := 0, 0; i < a.Len() || j < b.Len(); {
			inA, numberA := a.atOrEnd(i)
			inB, numberB := b.atOrEnd(j)
			rank, numbers := min(inA, inB), [2]int{}
			if inA == rank {
				numbers[0] = numberA
				i++
			}
			if inB == rank {
				numbers[1] = numberB
				j++
			}
			if !yield(rank, numbers) {
				return
			}
		}
	}
}

func appendRecord(b []byte, rank, number int) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(rank))
	return binary.BigEndian.AppendUint32(b, uint32(number))
}
