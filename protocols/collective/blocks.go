package collective

import (
	"math/bits"
	"strings"
)

// blockList is what a task brings to an all-to-all: an encoded block for each task, in one piece. There are as many
// as tasks on every rank, so a block of a few bytes should take no more than these.
type blockList struct {
	payload string
	length  int   // of each block, if ends is nil
	ends    []int // of the blocks, if they differ in length
	one     bool  // the payload is the block of every task
}

// encodeList makes a list of blocks. Whoever has one for all tasks, and not copies of it, keeps it once.
func encodeList[T any](blocks [][]T) (list blockList) {
	if oneForAll(blocks) {
		return blockList{payload: encode(blocks[0]), one: true}
	}
	elements, uneven := 0, false
	for _, block := range blocks {
		elements += len(block)
		uneven = uneven || len(block) != len(blocks[0])
	}
	buffer := make([]byte, 0, elements*max(0, elementSize[T]())) // elements without a size are refused below
	for _, block := range blocks {
		buffer = appendElements(buffer, block)
		if uneven {
			list.ends = append(list.ends, len(buffer))
		}
	}
	list.payload, list.length = string(buffer), len(buffer)/max(1, len(blocks))
	return list
}

// oneForAll says whether all blocks are the same memory.
func oneForAll[T any](blocks [][]T) bool {
	for _, block := range blocks {
		if len(block) == 0 || len(block) != len(blocks[0]) || &block[0] != &blocks[0][0] {
			return false
		}
	}
	return len(blocks) > 0
}

// of is the block for a task.
func (l *blockList) of(task int) string {
	switch {
	case l.one:
		return l.payload
	case l.ends == nil:
		return l.payload[task*l.length : (task+1)*l.length]
	case task == 0:
		return l.payload[:l.ends[0]]
	}
	return l.payload[l.ends[task-1]:l.ends[task]]
}

// arrivals are the blocks that have come for a task, by the task they come from. As long as all are of the same length,
// and shorter than what says where a block is, they are copied to one place.
type arrivals struct {
	tasks  int
	there  taskSet
	short  []byte   // one after the other
	length int      // of each in short; none if nothing has come
	blocks []string // if they are not in short
}

const (
	none         = -1
	longestShort = 16 // bytes of a string, besides its own
)

func newArrivals(tasks int) *arrivals {
	return &arrivals{tasks: tasks, there: newTaskSet(tasks), length: none}
}

// put takes a block.
func (a *arrivals) put(from int, block string) {
	switch {
	case a.length == none && len(block) <= longestShort:
		a.length, a.short = len(block), make([]byte, a.tasks*len(block))
	case a.blocks == nil && len(block) != a.length:
		a.spread()
	}
	if a.blocks == nil {
		copy(a.short[from*a.length:], block)
	} else {
		a.blocks[from] = block
	}
	a.there.add(from)
}

// spread gives up the place that blocks were copied to.
func (a *arrivals) spread() {
	a.blocks = make([]string, a.tasks)
	for from := range a.blocks {
		if a.there.has(from) {
			a.blocks[from] = string(a.short[from*a.length : (from+1)*a.length])
		}
	}
	a.short = nil
}

// decodeArrivals is what the blocks were before they were encoded, if all are there; empty ones are nil.
func decodeArrivals[T any](a *arrivals) [][]T {
	list := make([][]T, a.tasks)
	if a.long() {
		for from, block := range a.blocks {
			list[from] = decode[T](block)
		}
		return list
	}
	all := decodeElements[T](a.together())
	for from := range list {
		length := a.length
		if a.blocks != nil {
			length = len(a.blocks[from])
		}
		if n := length / elementSize[T](); n > 0 { // each with no room behind it: it is the caller's own
			list[from], all = all[:n:n], all[n:]
		}
	}
	return list
}

// long says whether blocks are so long on the average that copies of all of them at once would take more memory than is worth
// to save allocations.
func (a *arrivals) long() bool {
	const alone = 1024 // bytes
	total := 0
	for _, block := range a.blocks {
		total += len(block)
	}
	return total >= alone*a.tasks
}

// together are the blocks, one after the other.
func (a *arrivals) together() []byte {
	if a.blocks == nil {
		return a.short
	}
	return []byte(strings.Join(a.blocks, ""))
}

// taskSet is a set of tasks, a bit for each.
type taskSet []uint64

func newTaskSet(tasks int) taskSet { return make(taskSet, (tasks+bits.UintSize-1)/bits.UintSize) }

func (s taskSet) add(task int)      { s[task/bits.UintSize] |= 1 << (task % bits.UintSize) }
func (s taskSet) has(task int) bool { return s[task/bits.UintSize]&(1<<(task%bits.UintSize)) != 0 }
