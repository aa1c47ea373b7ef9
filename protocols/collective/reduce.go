package collective

import (
	"fmt"
	"slices"
)

// Operation combines two lists into one. It must be associative; lists are combined in the order
// of tasks, beginning at the root and going round. It must not change its arguments.
type Operation[T any] func(a, b []T) []T

// Elementwise combines lists of the same length element by element.
func Elementwise[T any](combine func(a, b T) T) Operation[T] {
	return func(a, b []T) []T {
		if len(a) != len(b) {
			panic(fmt.Sprintf("collective: lists of %d and %d elements, want the same length", len(a), len(b)))
		}
		all := make([]T, len(a))
		for i := range all {
			all[i] = combine(a[i], b[i])
		}
		return all
	}
}

// Reduce combines what all tasks bring, up a binomial tree (algorithm 4). It returns the result on
// the rank that does the root task, nil on others.
func Reduce[T any](t *Team, root int, in Input[[]T], combine Operation[T]) ([]T, error) {
	r := newReduction(in, combine)
	err := t.perform("reduce", in.Since, in.Lost, func(o *operation) { r.run(o, root) })
	if err != nil || !t.Does(root) {
		return nil, err
	}
	return slices.Clone(r.partial[root].value), nil // it may be what Of has returned
}

// reduction is what a rank has of a reduce.
type reduction[T any] struct {
	in      Input[[]T]
	combine Operation[T]
	partial map[int]*partial[T] // of this rank's tasks
	kept    map[int]kept        // of tasks of other ranks
}

// newReduction is a function of its own so that maps are not on the stack of every rank.
//
//go:noinline
func newReduction[T any](in Input[[]T], combine Operation[T]) *reduction[T] {
	return &reduction[T]{in: in, combine: combine, partial: make(map[int]*partial[T]), kept: make(map[int]kept)}
}

// partial is how far a task has come. Its children are counted as levels of the shape.
type partial[T any] struct {
	value  []T
	levels int // how many children are in the value
}

// kept is the backup of another rank's task.
type kept struct {
	payload string
	levels  int
}

// demand is what the rank above wants of a task.
type demand byte

const (
	nothing   demand = 'n' // it has the value
	itsValue  demand = 'v'
	itsBackup demand = 'b' // not the value: the backup of the task above that it keeps
)

// run goes up the tree.
func (r *reduction[T]) run(o *operation, root int) {
	s := o.shape(root)
	withBackup := r.offers(o, s)
	demands := r.demands(o, s, withBackup)
	var sent []int
	for _, task := range s.upwards(o.mine) {
		switch demands[task] {
		case itsBackup:
			o.send(backup, task, s.parent(task), r.kept[s.parent(task)].payload)
		case itsValue:
			r.absorb(o, s, task, demands, withBackup)
			if task != root && !o.Does(s.parent(task)) {
				sent = append(sent, task)
				o.send(values, task, s.parent(task), encode(r.partial[task].value))
			}
		}
	}
	if withBackup {
		r.keep(o, s, sent)
	}
}

// absorb combines a task's value with those of its children.
func (r *reduction[T]) absorb(o *operation, s shape, task int, demands map[int]demand, withBackup bool) {
	r.begin(o, s, task, demands)
	p := r.partial[task]
	for level, child := range s.levels(task) {
		if level < p.levels {
			continue
		}
		o.step(StepIteration)
		value := r.valueOf(o, task, child)
		if o.combine != nil {
			o.Spend(o.combine(len(value)))
		}
		p.value, p.levels = r.combine(p.value, value), level+1
		if withBackup && !o.Does(child) {
			o.send(backup, task, child, encode(p.value))
		}
	}
}

// begin makes sure that there is a value to begin with: the task's own, or a backup.
func (r *reduction[T]) begin(o *operation, s shape, task int, demands map[int]demand) {
	for level, child := range s.levels(task) {
		if demands[child] == itsBackup {
			r.partial[task] = &partial[T]{decode[T](o.receive(backup, child, task)), level + 1}
			return
		}
	}
	if r.partial[task] == nil {
		r.partial[task] = &partial[T]{value: r.in.Of(task)}
	}
}

// valueOf is the value of a child, which may be a task of this rank.
func (r *reduction[T]) valueOf(o *operation, task, child int) []T {
	if o.Does(child) {
		return r.partial[child].value
	}
	return decode[T](o.receive(values, child, task))
}

// demands says what is wanted of this rank's tasks and of those right below them. In the beginning
// that is every value; after a failure it is what is missing, and is told from above.
func (r *reduction[T]) demands(o *operation, s shape, withBackup bool) map[int]demand {
	demands := make(map[int]demand)
	for _, task := range s.downwards(o.mine) {
		if _, known := demands[task]; !known { // else it is right below a task of this rank
			demands[task] = r.demandOf(o, s, task)
		}
		best := r.bestBackup(o, s, task, demands[task], withBackup)
		for level, child := range s.levels(task) {
			demands[child] = r.demandBelow(task, level, best, demands[task])
			if o.again && !o.Does(child) {
				o.send(needed, task, child, string(demands[child]))
			}
		}
	}
	return demands
}

// demandOf is what another rank wants of a task; the root's value is always wanted.
func (r *reduction[T]) demandOf(o *operation, s shape, task int) demand {
	if !o.again || task == s.root {
		return itsValue
	}
	return demand(o.receive(needed, s.parent(task), task)[0])
}

// demandBelow is what a task wants of its child at a level, if there is a backup of it with so many
// levels.
func (r *reduction[T]) demandBelow(task, level, best int, of demand) demand {
	levels := 0
	if p := r.partial[task]; p != nil {
		levels = p.levels
	}
	switch {
	case of != itsValue || level < levels:
		return nothing
	case level == best-1:
		return itsBackup
	case level < best:
		return nothing
	}
	return itsValue
}
