package collective

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

// blocksOf is what the blocks were before they were encoded, if all are there.
func blocksOf[T any](a *arrivals) Blocks[T] {
	if a.blocks == nil {
		return Blocks[T]{all: decodeElements[T](a.short), count: a.tasks}
	}
	total := 0
	ends := make([]int, a.tasks)
	for from, block := range a.blocks {
		total += len(block) / elementSize[T]()
		ends[from] = total
	}
	b := Blocks[T]{all: make([]T, total), ends: ends, count: a.tasks}
	for from, block := range a.blocks {
		decodeInto(b.Of(from), block)
	}
	return b
}

// listsOf are the same as lists; empty ones are nil.
func listsOf[T any](a *arrivals) [][]T {
	lists := make([][]T, a.tasks)
	if a.long() {
		for from, block := range a.blocks {
			lists[from] = decode[T](block)
		}
		return lists
	}
	b := blocksOf[T](a)
	for from := range lists {
		if block := b.Of(from); len(block) > 0 {
			lists[from] = block
		}
	}
	return lists
}

// long says whether blocks are so long on the average that one piece of memory for all would not be worth what it saves: whoever
// needs one of them keeps all.
func (a *arrivals) long() bool {
	const alone = 1024 // bytes
	total := 0
	for _, block := range a.blocks {
		total += len(block)
	}
	return total >= alone*a.tasks
}
