package collective

import "slices"

// Gather brings what all tasks have to one of them: scatter backwards (algorithm 3). It returns
// the blocks of all tasks on the rank that does the root task, nil on others.
func Gather[T any](t *Team, root int, in Input[[]T]) ([][]T, error) {
	g := gather{blocks: make(map[int]string), restore: func(task int) string { return encode(in.Of(task)) }}
	err := t.perform("gather", in.Since, in.Lost, func(o *operation) { g.run(o, root) })
	if err != nil || !t.Does(root) {
		return nil, err
	}
	all := make([][]T, t.Tasks())
	for task := range all {
		all[task] = decode[T](g.blocks[task])
	}
	return all, nil
}

// gather is what a rank has of a gather.
type gather struct {
	restore func(task int) string
	blocks  map[int]string // by task
}

// run goes up the tree.
func (b *gather) run(o *operation, root int) {
	s := o.shape(root)
	wanted := b.wanted(o, s)
	for _, task := range s.upwards(o.mine) {
		b.collect(o, s, task, wanted)
		if task != root && !o.Does(s.parent(task)) && len(wanted[task]) > 0 {
			o.send(values, task, s.parent(task), encodeBlocks(b.blocks, wanted[task]))
		}
	}
}

// collect makes sure that a rank has the blocks that are wanted of one of its tasks.
func (b *gather) collect(o *operation, s shape, task int, wanted map[int][]int) {
	if _, has := b.blocks[task]; !has && slices.Contains(wanted[task], task) {
		b.blocks[task] = b.restore(task)
	}
	for _, child := range s.levels(task) { // the nearest has the least below it, and is ready first
		if !o.Does(child) && len(wanted[child]) > 0 {
			decodeBlocks(b.blocks, wanted[child], o.receive(values, child, task))
		}
	}
}

// wanted says which blocks are wanted of this rank's tasks and of those right below them. In the
// beginning that is all; after a failure it is what is missing above, and is told from above.
func (b *gather) wanted(o *operation, s shape) map[int][]int {
	wanted := make(map[int][]int)
	for _, task := range s.downwards(o.mine) {
		if _, known := wanted[task]; !known { // else it is right below a task of this rank
			wanted[task] = b.wantedOf(o, s, task)
		}
		for _, child := range s.children(task) {
			var list []int
			for _, block := range wanted[task] {
				if _, has := b.blocks[block]; !has && s.isBelow(block, child) {
					list = append(list, block)
				}
			}
			wanted[child] = list
			if o.again && !o.Does(child) {
				o.send(needed, task, child, encodeTasks(list))
			}
		}
	}
	return wanted
}

// wantedOf is what is wanted of a task by another rank, or at the root.
func (b *gather) wantedOf(o *operation, s shape, task int) []int {
	if o.again && task != s.root {
		return decodeTasks(o.receive(needed, s.parent(task), task))
	}
	return s.below(task)
}
