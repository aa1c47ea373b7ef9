package correction

import "slices"

// known are ranks that the dissemination has reached, on one side of a rank: their
// distances, nearest first, no more than the limit.
type known struct {
	distances []int32
	limit     int
}

// add notes one more.
func (k *known) add(distance int) {
	at, found := slices.BinarySearch(k.distances, int32(distance))
	if !found {
		k.distances = slices.Insert(k.distances, at, int32(distance))
		k.distances = k.distances[:min(len(k.distances), k.limit)]
	}
}

// passed reports whether as many as the limit are known, and the farthest of them lies
// within that distance.
func (k *known) passed(distance int) bool {
	return len(k.distances) == k.limit && distance >= int(k.distances[k.limit-1])
}
