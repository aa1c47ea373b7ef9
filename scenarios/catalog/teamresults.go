package catalog

import (
	"cmp"
	"maps"
	"slices"
)

// results are those of a rank's tasks that have one, ascending by task. Mostly a rank has one task, and a map of one takes ten times
// the memory of such a list.
type results[T any] []result[T]

// result is what has come out for a task.
type result[T any] struct {
	Task int
	Got  T
}

// resultsOf makes a list of what an operation has returned.
func resultsOf[T any](byTask map[int]T, err error) (results[T], error) {
	if err != nil {
		return nil, err
	}
	list := make(results[T], 0, len(byTask))
	for _, task := range slices.Sorted(maps.Keys(byTask)) {
		list = append(list, result[T]{task, byTask[task]})
	}
	return list, nil
}

// search finds where the result of a task is, or would be.
func (r results[T]) search(task int) (at int, has bool) {
	return slices.BinarySearchFunc(r, task, func(one result[T], task int) int { return cmp.Compare(one.Task, task) })
}

// copyTo puts them to those of others.
func (r results[T]) copyTo(all map[int]T) {
	for _, one := range r {
		all[one.Task] = one.Got
	}
}
