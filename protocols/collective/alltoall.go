package collective

import "fmt"

// AllToAll exchanges blocks between all tasks (algorithm 5): each brings a list of as many blocks as
// there are tasks, all of the same length. It returns, for each of this rank's tasks, the blocks
// that all tasks have for it.
func AllToAll[T any](t *Team, in Input[[][]T]) (map[int][][]T, error) {
	length := -1
	return allToAll(t, "alltoall", in, func(block []T) {
		if length >= 0 && len(block) != length {
			panic(fmt.Sprintf("collective: all-to-all of blocks of %d and %d elements, want all of the same length", length, len(block)))
		}
		length = len(block)
	})
}

// AllToAllV is like AllToAll with blocks of any lengths. Receivers need not know them.
func AllToAllV[T any](t *Team, in Input[[][]T]) (map[int][][]T, error) {
	return allToAll(t, "alltoallv", in, func([]T) {})
}

func allToAll[T any](t *Team, name string, in Input[[][]T], check func([]T)) (map[int][][]T, error) {
	e := exchange{blocks: make(map[pair]string), own: make(map[int][]string)}
	e.restore = func(task int) []string {
		all := in.Of(task)
		if len(all) != t.Tasks() {
			panic(fmt.Sprintf("collective: %s of %d blocks, want one for each of %d tasks", name, len(all), t.Tasks()))
		}
		payloads := make([]string, len(all))
		for i, block := range all {
			check(block)
			payloads[i] = encode(block)
		}
		return payloads
	}
	if err := t.perform(name, in.Since, in.Lost, e.run); err != nil {
		return nil, err
	}
	got := make(map[int][][]T)
	for _, task := range t.mine {
		got[task] = make([][]T, t.Tasks())
		for from := range got[task] {
			got[task][from] = decode[T](e.blocks[pair{from, task}])
		}
	}
	return got, nil
}

// pair names a block by the tasks it goes between.
type pair struct{ from, to int }

// exchange is what a rank has of an all-to-all.
type exchange struct {
	restore func(task int) []string
	own     map[int][]string // what this rank's tasks bring
	blocks  map[pair]string  // what has come for this rank's tasks
}

// run meets all other tasks, one a round.
func (e *exchange) run(o *operation) {
	wanted := e.wanted(o)
	for round := range rounds(o.Tasks()) {
		o.step(StepIteration)
		for _, task := range o.mine {
			e.give(o, pair{task, partner(task, round, o.Tasks())}, wanted)
		}
		for _, task := range o.mine {
			e.take(o, pair{partner(task, round, o.Tasks()), task})
		}
	}
	for _, task := range o.mine { // an even number of tasks never meet themselves
		e.take(o, pair{task, task})
	}
}

// give sends a block, unless it need not be sent.
func (e *exchange) give(o *operation, p pair, wanted map[pair]bool) {
	if !o.Does(p.to) && (!o.again || wanted[p]) {
		o.send(values, p.from, p.to, e.brought(p))
	}
}

// take receives a block, unless it is there.
func (e *exchange) take(o *operation, p pair) {
	if _, has := e.blocks[p]; has {
		return
	}
	if o.Does(p.from) {
		e.blocks[p] = e.brought(p)
	} else {
		e.blocks[p] = o.receive(values, p.from, p.to)
	}
}

// brought is what one of this rank's tasks brings for another task.
func (e *exchange) brought(p pair) string {
	if _, known := e.own[p.from]; !known {
		e.own[p.from] = e.restore(p.from)
	}
	return e.own[p.from][p.to]
}

// wanted tells all other ranks which blocks are missing here, and learns what they miss. In the
// beginning nobody has to tell.
func (e *exchange) wanted(o *operation) map[pair]bool {
	if !o.again {
		return nil
	}
	others := o.others()
	for _, other := range others {
		o.send(needed, o.mine[0], other[0], encodeTasks(e.missing(o, other)))
	}
	wanted := make(map[pair]bool)
	for _, other := range others {
		for _, number := range decodeTasks(o.receive(needed, other[0], o.mine[0])) {
			wanted[pair{number / o.Tasks(), number % o.Tasks()}] = true
		}
	}
	return wanted
}

// missing lists the blocks of another rank's tasks that have not come, in ascending order.
func (e *exchange) missing(o *operation, tasks []int) []int {
	var numbers []int
	for _, from := range tasks {
		for _, to := range o.mine {
			if _, has := e.blocks[pair{from, to}]; !has {
				numbers = append(numbers, from*o.Tasks()+to)
			}
		}
	}
	return numbers
}

// others lists the tasks of all other ranks that are left, by rank, beginning behind this one: so
// not all write to the same rank at once.
func (o *operation) others() [][]int {
	var all [][]int
	size := o.comm.Size()
	for i := 1; i < size; i++ {
		all = append(all, o.tasksOf(o.comm.MachineRank((o.comm.Rank()+i)%size)))
	}
	return all
}
