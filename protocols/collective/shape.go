package collective

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// shape is the binomial tree of tasks with a certain root: places are numbered from the root on,
// round the tasks, and a place's tree below it is a range of places (thesis, algorithms 1 to 4).
type shape struct {
	tree tree.InOrderBinomial
	root int
}

func (o *operation) shape(root int) shape {
	if root < 0 || root >= o.Tasks() {
		panic(fmt.Sprintf("collective: %s with root %d, want a task from 0 to %d", o.name, root, o.Tasks()-1))
	}
	return shape{tree.InOrderBinomial{Binomial: tree.Binomial{Ranks: o.Tasks()}}, root}
}

// place is where a task is; task is the inverse.
func (s shape) place(task int) int { return (task - s.root + s.tree.Size()) % s.tree.Size() }
func (s shape) task(place int) int { return (place + s.root) % s.tree.Size() }

// parent is the task above; not for the root.
func (s shape) parent(task int) int {
	above, _ := s.tree.Parent(s.place(task))
	return s.task(above)
}

// children are the tasks right below, farthest first.
func (s shape) children(task int) (all []int) {
	for i := 0; ; i++ {
		place, ok := s.tree.Child(s.place(task), i)
		if !ok {
			return all
		}
		all = append(all, s.task(place))
	}
}

// levels are the same, nearest first: that at level k has 2^k places below and with it, or less at
// the end.
func (s shape) levels(task int) []int {
	children := s.children(task)
	slices.Reverse(children)
	return children
}

// below are the tasks of a tree below and with a task, in ascending order.
func (s shape) below(task int) []int {
	first := s.place(task)
	all := make([]int, s.tree.Subtree(first))
	for i := range all {
		all[i] = s.task(first + i)
	}
	slices.Sort(all)
	return all
}

// isBelow reports whether a task is in the tree of another.
func (s shape) isBelow(task, top int) bool {
	distance := s.place(task) - s.place(top)
	return distance >= 0 && distance < s.tree.Subtree(s.place(top))
}

// downwards returns tasks ordered so that none comes before one above it; upwards the other way
// round.
func (s shape) downwards(tasks []int) []int {
	if len(tasks) == 1 {
		return tasks
	}
	sorted := slices.Clone(tasks)
	slices.SortFunc(sorted, func(a, b int) int { return s.place(a) - s.place(b) })
	return sorted
}

func (s shape) upwards(tasks []int) []int {
	if len(tasks) == 1 {
		return tasks
	}
	sorted := s.downwards(tasks)
	slices.Reverse(sorted)
	return sorted
}
