package tree

import "slices"

// depthFirst numbers the ranks of a tree anew, so that every subtree is a range: behind a rank come
// those below its first child, and so on, or, with farthestFirst, those below its last child. A tree
// is given by the parent of each rank, which has a lower number; so are the children of a rank that
// it sends to earlier.
func depthFirst(parents []int32, farthestFirst bool) []int32 {
	sizes := slices.Repeat([]int32{1}, len(parents)) // of subtrees
	for rank := len(parents) - 1; rank > 0; rank-- {
		sizes[parents[rank]] += sizes[rank]
	}
	numbers := make([]int32, len(parents))
	used := make([]int32, len(parents)) // how many numbers behind that of a rank its children have so far
	for rank := 1; rank < len(parents); rank++ {
		parent := parents[rank]
		before := 1 + used[parent]
		used[parent] += sizes[rank]
		if farthestFirst {
			before = sizes[parent] - used[parent]
		}
		numbers[rank] = numbers[parent] + before
	}
	renumbered := make([]int32, len(parents))
	for rank, parent := range parents {
		renumbered[numbers[rank]] = numbers[parent]
	}
	return renumbered
}
