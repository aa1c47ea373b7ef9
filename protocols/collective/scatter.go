package collective

import (
	"fmt"
	"slices"
)

// Scatter gives each task a block of its own, which one task brings: a list of as many blocks as
// there are tasks (algorithm 2). It returns the blocks of this rank's tasks.
func Scatter[T any](t *Team, root int, in Input[[][]T]) (map[int][]T, error) {
	s := scatter{blocks: make(map[int]string)}
	s.restore = func() {
		all := in.Of(root)
		if len(all) != t.Tasks() {
			panic(fmt.Sprintf("collective: scatter of %d blocks, want one for each of %d tasks", len(all), t.Tasks()))
		}
		for task, block := range all {
			s.blocks[task] = encode(block)
		}
	}
	err := t.perform("scatter", in.Since, in.Lost, func(o *operation) { s.run(o, root) })
	if err != nil {
		return nil, err
	}
	own := make(map[int][]T)
	for _, task := range t.mine {
		own[task] = decode[T](s.blocks[task])
	}
	return own, nil
}

// scatter is what a rank has of a scatter.
type scatter struct {
	restore func()
	blocks  map[int]string // by task
}

// run goes down the tree.
func (b *scatter) run(o *operation, root int) {
	s := o.shape(root)
	wanted := b.wanted(o, s)
	for _, task := range s.downwards(o.mine) {
		switch {
		case len(wanted[task]) == 0:
		case task == root:
			b.restore()
		case !o.Does(s.parent(task)):
			decodeBlocks(b.blocks, wanted[task], o.receive(values, s.parent(task), task))
		}
		for _, child := range s.children(task) {
			if !o.Does(child) && len(wanted[child]) > 0 {
				o.send(values, task, child, encodeBlocks(b.blocks, wanted[child]))
			}
		}
	}
}

// wanted says which blocks this rank's tasks and those right below them want from above. In the
// beginning that is all; after a failure it is what their ranks have not got, and is told from
// below.
func (b *scatter) wanted(o *operation, s shape) map[int][]int {
	wanted := make(map[int][]int)
	for _, task := range s.upwards(o.mine) {
		want := []int{task}
		for _, child := range s.children(task) {
			if !o.Does(child) {
				wanted[child] = b.wantedBy(o, s, task, child)
			}
			want = append(want, wanted[child]...)
		}
		want = slices.DeleteFunc(want, func(task int) bool { _, has := b.blocks[task]; return has })
		slices.Sort(want)
		wanted[task] = want
		if o.again && task != s.root && !o.Does(s.parent(task)) {
			o.send(needed, task, s.parent(task), encodeTasks(want))
		}
	}
	return wanted
}

// wantedBy is what a task of another rank wants.
func (b *scatter) wantedBy(o *operation, s shape, task, child int) []int {
	if !o.again {
		return s.below(child)
	}
	return decodeTasks(o.receive(needed, child, task))
}
