package collective

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/internal/varint"
)

// AllToAll exchanges blocks between all tasks (algorithm 5): each brings a list of as many blocks as
// there are tasks, all of the same length. It returns, for each of this rank's tasks, the blocks
// that all tasks have for it.
func AllToAll[T any](t *Team, in Input[[][]T]) (map[int][][]T, error) {
	return exchanged(t, "alltoall", in, encodeList[T], listsOf[T])
}

// AllToAllV is like AllToAll with blocks of any lengths. Receivers need not know them.
func AllToAllV[T any](t *Team, in Input[[][]T]) (map[int][][]T, error) {
	return exchanged(t, "alltoallv", in, encodeList[T], listsOf[T])
}

// AllToAllBlocks is AllToAll for blocks that are one list.
func AllToAllBlocks[T any](t *Team, in Input[Blocks[T]]) (map[int]Blocks[T], error) {
	return exchanged(t, "alltoall", in, encodeBlocksOf[T], blocksOf[T])
}

// AllToAllVBlocks is AllToAllV for blocks that are one list.
func AllToAllVBlocks[T any](t *Team, in Input[Blocks[T]]) (map[int]Blocks[T], error) {
	return exchanged(t, "alltoallv", in, encodeBlocksOf[T], blocksOf[T])
}

// exchanged exchanges blocks in whatever form they are brought and wanted.
func exchanged[I, R any](t *Team, name string, in Input[I], encode func(I) blockList, decode func(*arrivals) R) (map[int]R, error) {
	e := &exchange{even: name == "alltoall", restore: func(task int) blockList { return encode(in.Of(task)) }}
	if err := t.perform(name, in.Since, in.Lost, e.run); err != nil {
		return nil, err
	}
	return resultsOf(t, e, decode), nil
}

// resultsOf is a function of its own so that nothing of it is on the stack of a rank that waits.
//
//go:noinline
func resultsOf[R any](t *Team, e *exchange, decode func(*arrivals) R) map[int]R {
	got := make(map[int]R, len(t.mine))
	for _, task := range t.mine {
		part := e.of(task)
		part.own = nil // there are as many results
		got[task] = decode(part.got)
		part.got = nil
	}
	return got
}

// exchange is what a rank has of an all-to-all.
type exchange struct {
	restore func(task int) blockList
	even    bool    // blocks must be of the same length
	parts   []*part // one for each of this rank's tasks, ascending

	tasks, numbers []int // to work with, as every rank tells every other one
	buffer         []byte
	told           pieces
}

// part is what it has of one task.
type part struct {
	task   int
	own    *blockList // what the task brings, once that was needed
	got    *arrivals  // what has come for it
	wanted taskSet    // the tasks that still need what it brings, if something was done before
}

// of finds the part of a task.
func (e *exchange) of(task int) *part {
	if len(e.parts) == 1 {
		return e.parts[0]
	}
	i, _ := e.search(task)
	return e.parts[i]
}

func (e *exchange) search(task int) (int, bool) {
	return slices.BinarySearchFunc(e.parts, task, func(p *part, task int) int { return p.task - task })
}

// run meets all other tasks, one a round.
func (e *exchange) run(o *operation) {
	for _, task := range o.mine {
		if i, there := e.search(task); !there {
			e.parts = slices.Insert(e.parts, i, &part{task: task, got: newArrivals(o.Tasks())})
		}
	}
	e.learnWanted(o)
	for round := range rounds(o.Tasks()) {
		o.step(StepIteration)
		for _, p := range e.parts {
			e.give(o, p, partner(p.task, round, o.Tasks()))
		}
		for _, p := range e.parts {
			e.take(o, p, partner(p.task, round, o.Tasks()))
		}
	}
	for _, p := range e.parts { // an even number of tasks never meet themselves
		e.take(o, p, p.task)
	}
}

// give sends a block, unless it need not be sent.
func (e *exchange) give(o *operation, p *part, to int) {
	if (!o.again || p.wanted.has(to)) && !o.Does(to) {
		o.send(values, p.task, to, e.brought(o, p, to))
	}
}

// take receives a block, unless it is there.
func (e *exchange) take(o *operation, p *part, from int) {
	switch {
	case p.got.there.has(from):
	case o.Does(from):
		p.got.put(from, e.brought(o, e.of(from), p.task))
	default:
		p.got.put(from, o.receive(values, from, p.task))
	}
}

// brought is what one of this rank's tasks brings for another task.
func (e *exchange) brought(o *operation, p *part, to int) string {
	if p.own == nil {
		list := e.restore(p.task)
		e.check(o, &list)
		p.own = &list
	}
	return p.own.of(to)
}

// check panics on blocks that are not as many as tasks, or not of the same length if they must be.
func (e *exchange) check(o *operation, list *blockList) {
	if list.count != o.Tasks() {
		panic(fmt.Sprintf("collective: %s of %d blocks, want one for each of %d tasks", o.name, list.count, o.Tasks()))
	}
	if !e.even {
		return
	}
	first := len(list.of(0))
	for _, p := range e.parts {
		if p.own != nil {
			first = len(p.own.of(0))
		}
	}
	for task := range list.count {
		if length := len(list.of(task)); length != first {
			panic(fmt.Sprintf("collective: all-to-all of blocks of %d and %d elements, want all of the same length", first/list.size, length/list.size))
		}
	}
}

// ahead is how many more ranks may have been told what is missing here than have told this rank.
const ahead = 16

// learnWanted tells all other ranks which blocks are missing here, and learns what they miss, by this rank's tasks. In
// the beginning nobody has to tell.
//
// It goes round the ranks, so that not all write to the same one at once: the first is the one behind this rank, and
// the first to write to it is the one before. A rank that told all others before it listens would have a message of
// each of them in its memory. It waits for what is so far behind only; nobody waits for ever, since what is told
// n-th depends on nothing but what others tell before.
func (e *exchange) learnWanted(o *operation) {
	if !o.again {
		return
	}
	for _, p := range e.parts {
		p.wanted = newTaskSet(o.Tasks())
	}
	me, size := o.comm.Rank(), o.comm.Size()
	for i := 1; i < size+ahead; i++ {
		if i < size {
			e.tell(o, (me+i)%size)
		}
		if n := i - ahead; 0 < n && n < size {
			e.listen(o, (me-n+size)%size)
		}
	}
}

// tell sends a member the numbers of its blocks that have not come, in ascending order.
func (e *exchange) tell(o *operation, member int) {
	e.tasks, e.numbers = o.appendTasksOf(e.tasks[:0], o.comm.MachineRank(member)), e.numbers[:0]
	for _, from := range e.tasks {
		for _, p := range e.parts {
			if !p.got.there.has(from) {
				e.numbers = append(e.numbers, from*o.Tasks()+p.task)
			}
		}
	}
	e.buffer = varint.AppendDistances(e.buffer[:0], e.numbers)
	o.sendTo(member, needed, o.mine[0], e.tasks[0], e.told.text(e.buffer))
}

// listen learns what a member misses.
func (e *exchange) listen(o *operation, member int) {
	e.tasks = o.appendTasksOf(e.tasks[:0], o.comm.MachineRank(member))
	told := varint.Reader{Rest: o.receiveFrom(member, needed, e.tasks[0], o.mine[0])}
	e.numbers = told.DistancesTo(e.numbers[:0])
	for _, number := range e.numbers {
		e.of(number / o.Tasks()).wanted.add(number % o.Tasks())
	}
}
