package collective

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

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
	e := exchange{own: make(map[int]*blockList), got: make(map[int]*arrivals)}
	e.restore = func(task int) blockList {
		all := in.Of(task)
		if len(all) != t.Tasks() {
			panic(fmt.Sprintf("collective: %s of %d blocks, want one for each of %d tasks", name, len(all), t.Tasks()))
		}
		for _, block := range all {
			check(block)
		}
		return encodeList(all)
	}
	if err := t.perform(name, in.Since, in.Lost, e.run); err != nil {
		return nil, err
	}
	got := make(map[int][][]T)
	e.own = nil // there are as many results
	for _, task := range t.mine {
		got[task] = decodeArrivals[T](e.got[task])
	}
	return got, nil
}

// pair names a block by the tasks it goes between.
type pair struct{ from, to int }

// exchange is what a rank has of an all-to-all.
type exchange struct {
	restore func(task int) blockList
	own     map[int]*blockList // what this rank's tasks bring, once that was needed
	got     map[int]*arrivals  // what has come for them

	tasks, numbers []int // to work with, as every rank tells every other one
	buffer         []byte
}

// run meets all other tasks, one a round.
func (e *exchange) run(o *operation) {
	for _, task := range o.mine {
		if e.got[task] == nil {
			e.got[task] = newArrivals(o.Tasks())
		}
	}
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
func (e *exchange) give(o *operation, p pair, wanted map[int]taskSet) {
	if !o.Does(p.to) && (!o.again || wanted[p.from].has(p.to)) {
		o.send(values, p.from, p.to, e.brought(p))
	}
}

// take receives a block, unless it is there.
func (e *exchange) take(o *operation, p pair) {
	got := e.got[p.to]
	if got.there.has(p.from) {
		return
	}
	if o.Does(p.from) {
		got.put(p.from, e.brought(p))
	} else {
		got.put(p.from, o.receive(values, p.from, p.to))
	}
}

// brought is what one of this rank's tasks brings for another task.
func (e *exchange) brought(p pair) string {
	if e.own[p.from] == nil {
		list := e.restore(p.from)
		e.own[p.from] = &list
	}
	return e.own[p.from].of(p.to)
}

// ahead is how many more ranks may have been told what is missing here than have told this rank.
const ahead = 64

// wanted tells all other ranks which blocks are missing here, and learns what they miss, by this rank's tasks. In
// the beginning nobody has to tell.
//
// It goes round the ranks, so that not all write to the same one at once: the first is the one behind this rank, and
// the first to write to it is the one before. A rank that told all others before it listens would have a message of
// each of them in its memory. It waits for what is so far behind only; nobody waits for ever, since what is told
// n-th depends on nothing but what others tell before.
func (e *exchange) wanted(o *operation) map[int]taskSet {
	if !o.again {
		return nil
	}
	wanted := make(map[int]taskSet)
	for _, task := range o.mine {
		wanted[task] = newTaskSet(o.Tasks())
	}
	size := o.comm.Size()
	for i := 1; i < size+ahead; i++ {
		if i < size {
			e.tell(o, o.comm.MachineRank((o.comm.Rank()+i)%size))
		}
		if n := i - ahead; 0 < n && n < size {
			e.listen(o, o.comm.MachineRank((o.comm.Rank()-n+size)%size), wanted)
		}
	}
	return wanted
}

// tell sends a rank of the machine the numbers of its blocks that have not come, in ascending order.
func (e *exchange) tell(o *operation, machineRank int) {
	e.tasks, e.numbers = o.appendTasksOf(e.tasks[:0], machineRank), e.numbers[:0]
	for _, from := range e.tasks {
		for _, to := range o.mine {
			if !e.got[to].there.has(from) {
				e.numbers = append(e.numbers, from*o.Tasks()+to)
			}
		}
	}
	e.buffer = varint.AppendDistances(e.buffer[:0], e.numbers)
	o.send(needed, o.mine[0], e.tasks[0], string(e.buffer))
}

// listen learns what a rank of the machine misses.
func (e *exchange) listen(o *operation, machineRank int, wanted map[int]taskSet) {
	e.tasks = o.appendTasksOf(e.tasks[:0], machineRank)
	told := varint.Reader{Rest: o.receive(needed, e.tasks[0], o.mine[0])}
	e.numbers = told.DistancesTo(e.numbers[:0])
	for _, number := range e.numbers {
		wanted[number/o.Tasks()].add(number % o.Tasks())
	}
}
