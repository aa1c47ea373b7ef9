package tree

import "fmt"

// CheckInterleaved returns nil if the tree is interleaved and otherwise an error that
// names a pair of ranks and a subtree that break the rule (Corrected Trees, definition 1):
// in the ring of the ranks of any subtree, two neighbours either descend from each other
// or have only the root of that subtree as a common ancestor. It visits every rank once
// for each of its ancestors.
func CheckInterleaved(t Tree) error {
	c := newChecker(t)
	for rank := range t.Size() {
		if err := c.join(rank); err != nil {
			return err
		}
	}
	for top := range c.rings {
		ring := c.rings[top]
		if err := c.neighbours(top, ring.last, ring.first); err != nil {
			return err
		}
	}
	return nil
}

// checker builds the rings of all subtrees at once, in order of rank.
type checker struct {
	parents []int // -1 for the root
	depths  []int
	rings   []ring // by the root of the subtree
}

// ring is the two open ends of the ring of a subtree.
type ring struct{ first, last member }

// member is a rank in a subtree, and the child of the subtree's root above it. For the
// root itself that is -1.
type member struct{ rank, branch int }

var nobody = member{-1, -1}

func newChecker(t Tree) *checker {
	c := &checker{}
	for rank := range t.Size() {
		parent, ok := t.Parent(rank)
		if !ok {
			parent = -1
		}
		c.parents = append(c.parents, parent)
		c.depths = append(c.depths, Depth(t, rank))
		c.rings = append(c.rings, ring{nobody, nobody})
	}
	return c
}

// join appends a rank to the rings of all subtrees that it is in.
func (c *checker) join(rank int) error {
	for top, branch := rank, -1; top >= 0; top, branch = c.parents[top], top {
		ring, m := &c.rings[top], member{rank, branch}
		if ring.first == nobody {
			ring.first = m
		} else if err := c.neighbours(top, ring.last, m); err != nil {
			return err
		}
		ring.last = m
	}
	return nil
}

// neighbours checks two ranks side by side in the ring of a subtree. In different branches
// they have only its root in common.
func (c *checker) neighbours(top int, a, b member) error {
	if a.branch != b.branch || c.related(a.rank, b.rank) {
		return nil
	}
	return fmt.Errorf("tree: ranks %d and %d are neighbours in the subtree of %d and both below %d, want an interleaved tree",
		a.rank, b.rank, top, a.branch)
}

// related says whether one of two ranks is, or descends from, the other.
func (c *checker) related(a, b int) bool {
	for c.depths[a] > c.depths[b] {
		a = c.parents[a]
	}
	for c.depths[b] > c.depths[a] {
		b = c.parents[b]
	}
	return a == b
}
