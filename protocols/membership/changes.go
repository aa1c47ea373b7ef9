package membership

import (
	"encoding/binary"
	"hash/fnv"
	"iter"
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

// search returns the place of the first rank that is not lower.
func (c Changes) search(rank int) int {
	return sort.Search(c.Len(), func(i int) bool {
		other, _ := c.At(i)
		return other >= rank
	})
}

// Number is how often a rank has left or come.
func (c Changes) Number(rank int) int {
	if i := c.search(rank); i < c.Len() {
		if other, number := c.At(i); other == rank {
			return number
		}
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
	for range other.unknownTo(c) {
		return false
	}
	return true
}

// Beyond returns what is not known to other.
func (c Changes) Beyond(other Changes) Changes {
	var beyond []byte
	for rank, number := range c.unknownTo(other) {
		beyond = appendRecord(beyond, rank, number)
	}
	return Changes(beyond)
}

// unknownTo goes through the ranks whose numbers are higher than those that other has.
func (c Changes) unknownTo(other Changes) iter.Seq2[int, int] {
	return func(yield func(rank, number int) bool) {
		for i, j := 0, 0; i < c.Len(); i++ {
			rank, number := c.At(i)
			known := 0
			for ; j < other.Len(); j++ {
				there, n := other.At(j)
				if there == rank {
					known = n
				}
				if there >= rank {
					break
				}
			}
			if number > known && !yield(rank, number) {
				return
			}
		}
	}
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
	for i, j := 0, 0; i < c.Len() || j < other.Len(); {
		rank, number := lower(c, i, other, j)
		merged = appendRecord(merged, rank, number)
		i += c.passes(i, rank)
		j += other.passes(j, rank)
	}
	return Changes(merged)
}

// lower returns the lower of the next ranks of two Changes, with the higher number.
func lower(a Changes, i int, b Changes, j int) (rank, number int) {
	if j == b.Len() {
		return a.At(i)
	}
	rank, number = b.At(j)
	if i < a.Len() {
		if other, n := a.At(i); other < rank {
			return other, n
		} else if other == rank {
			return rank, max(n, number)
		}
	}
	return rank, number
}

// passes is 1 if the i-th rank is the given one.
func (c Changes) passes(i, rank int) int {
	if i < c.Len() {
		if other, _ := c.At(i); other == rank {
			return 1
		}
	}
	return 0
}

func appendRecord(b []byte, rank, number int) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(rank))
	return binary.BigEndian.AppendUint32(b, uint32(number))
}
