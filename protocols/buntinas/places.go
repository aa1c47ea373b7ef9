package buntinas

import "slices"

// places are ranks, counted from the root, in ascending order.
type places []int

// has reports whether a place is among them.
func (s places) has(place int) bool {
	_, found := slices.BinarySearch(s, place)
	return found
}

// with returns the places with others added.
func (s places) with(others ...int) places {
	for _, place := range others {
		if i, found := slices.BinarySearch(s, place); !found {
			s = slices.Insert(s, i, place)
		}
	}
	return s
}

// between returns those from low up to, but without, high.
func (s places) between(low, high int) places {
	first, _ := slices.BinarySearch(s, low)
	last, _ := slices.BinarySearch(s, high)
	return s[first:last]
}
