package ulfm

import (
	"encoding/binary"
	"iter"
	"strings"
)

// numbers is a list of numbers that never changes, four bytes each. All who hold such a list share
// it: what comes with a decision is there once in a process, however many ranks have heard of it.
type numbers string

// listed makes a list.
func listed(list []int) numbers {
	if len(list) == 0 {
		return ""
	}
	var text strings.Builder
	text.Grow(4 * len(list))
	for _, x := range list {
		var four [4]byte
		binary.LittleEndian.PutUint32(four[:], uint32(x))
		text.Write(four[:])
	}
	return numbers(text.String())
}

func (n numbers) len() int { return len(n) / 4 }

// at is the i-th number.
func (n numbers) at(i int) int {
	s := n[4*i : 4*i+4]
	return int(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}

// all are the numbers in their order.
func (n numbers) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n.len() {
			if !yield(n.at(i)) {
				return
			}
		}
	}
}

// search finds a number in an ascending list, or where it would be.
func (n numbers) search(x int) (i int, found bool) {
	low, high := 0, n.len() // not sort.Search: every message goes through here
	for low < high {
		if middle := (low + high) / 2; n.at(middle) < x {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < n.len() && n.at(low) == x
}

// has reports whether an ascending list has a number.
func (n numbers) has(x int) bool {
	_, found := n.search(x)
	return found
}

// union of two ascending lists. Mostly one of them has all, and then there is no other list in memory.
func (n numbers) union(other numbers) numbers {
	switch all := n.countUnion(other); all {
	case n.len():
		return n
	case other.len():
		return other
	default:
		return n.merge(other, all)
	}
}

// countUnion is how many numbers the union of two ascending lists has.
func (n numbers) countUnion(other numbers) int {
	if n == other || other == "" {
		return n.len()
	}
	all := n.len() + other.len()
	for i, j := 0, 0; i < n.len() && j < other.len(); {
		a, b := n.at(i), other.at(j)
		if a <= b {
			i++
		}
		if a >= b {
			j++
		}
		if a == b {
			all--
		}
	}
	return all
}

// merge makes the union, which has so many numbers.
func (n numbers) merge(other numbers, all int) numbers {
	merged := make([]byte, 0, 4*all)
	for n != "" && other != "" {
		a, b := n.at(0), other.at(0)
		if a <= b {
			merged = append(merged, n[:4]...)
			n = n[4:]
		} else {
			merged = append(merged, other[:4]...)
		}
		if a >= b {
			other = other[4:]
		}
	}
	return numbers(append(append(merged, n...), other...))
}

// intersection of two ascending lists.
func (n numbers) intersection(other numbers) numbers {
	if n == other {
		return n
	}
	return n.where(other.has)
}

// without are those of an ascending list that another does not have.
func (n numbers) without(other numbers) numbers {
	if n == "" || other == "" {
		return n
	}
	return n.where(func(x int) bool { return !other.has(x) })
}

// where are those that a condition holds for.
func (n numbers) where(holds func(x int) bool) numbers {
	var kept []byte
	for i := range n.len() {
		if holds(n.at(i)) {
			kept = append(kept, n[4*i:4*i+4]...)
		}
	}
	return numbers(kept)
}

// slice is for those who change what they get.
func (n numbers) slice() []int {
	list := make([]int, n.len())
	for i := range list {
		list[i] = n.at(i)
	}
	return list
}
