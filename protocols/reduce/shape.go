package reduce

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// shape is what deadlines depend on in a tree.
type shape struct {
	height int // the greatest depth
	degree int // the largest number of children
}

// max returns a shape that covers both.
func (s shape) max(other shape) shape {
	return shape{max(s.height, other.height), max(s.degree, other.degree)}
}

// measure returns the shape of a tree of the given size, or an error unless it is numbered
// in order, root 0 first: then the ranks below any rank are those right behind it.
//
// A tree that has a method Shape is numbered so, and knows without being walked. Of others
// it is so if and only if the parent of every rank lies on the path from the root to the
// rank just before it.
func measure(t tree.Tree, size int) (shape, error) {
	if t == nil {
		return shape{}, fmt.Errorf("no tree, want one of size %d", size)
	}
	if t.Size() != size || t.Root() != 0 {
		return shape{}, fmt.Errorf("tree %v has size %d and root %d, want size %d and root 0", t, t.Size(), t.Root(), size)
	}
	if known, ok := t.(interface{ Shape() (height, degree int) }); ok {
		height, degree := known.Shape()
		return shape{height, degree}, nil
	}
	var s shape
	path := make([]int, 0, 64)
	for rank := range size {
		parent, _ := t.Parent(rank)
		for len(path) > 0 && path[len(path)-1] != parent {
			path = path[:len(path)-1]
		}
		if rank > 0 && len(path) == 0 {
			return shape{}, fmt.Errorf("tree %v of size %d is not numbered in order: "+
				"%d is below %d, but %d is not", t, size, rank, parent, rank-1)
		}
		s = s.max(shape{height: len(path), degree: children(t, rank)})
		path = append(path, rank)
	}
	return s, nil
}

// children counts the children of a rank.
func children(t tree.Tree, rank int) (count int) {
	for range tree.Children(t, rank) {
		count++
	}
	return count
}
