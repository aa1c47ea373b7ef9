package collective

import "strings"

// blockList is what a task brings to an all-to-all: an encoded block for each task, in one piece. There are as many
// as tasks on every rank, so a block of a few bytes should take no more than these.
type blockList struct {
	payload string
	count   int   // of blocks
	size    int   // of an element, in bytes
	length  int   // of each block, if ends is nil
	ends    []int // of the blocks, if they differ in length
	one     bool  // the payload is the block of every task
}

// encodeList makes a list of blocks. Whoever has one for all tasks, and not copies of it, keeps it once.
func encodeList[T any](blocks [][]T) (list blockList) {
	if oneForAll(blocks) {
		return blockList{payload: encode(blocks[0]), count: len(blocks), size: fixedSize[T](), one: true}
	}
	list.count, list.size = len(blocks), fixedSize[T]()
	elements, uneven := 0, false
	for _, block := range blocks {
		elements += len(block)
		uneven = uneven || len(block) != len(blocks[0])
	}
	var payload strings.Builder
	payload.Grow(elements * list.size)
	var buffer []byte
	for _, block := range blocks {
		buffer = writeElements(&payload, buffer, block)
		if uneven {
			list.ends = append(list.ends, payload.Len())
		}
	}
	list.payload, list.length = payload.String(), payload.Len()/max(1, len(blocks))
	return list
}

// encodeBlocksOf makes the same of blocks that are one list.
func encodeBlocksOf[T any](b Blocks[T]) blockList {
	list := blockList{count: b.count, size: fixedSize[T]()}
	var payload strings.Builder // not encode: there is little stack left in the depth of an operation
	payload.Grow(len(b.all) * list.size)
	writeElements(&payload, nil, b.all)
	list.payload = payload.String()
	if b.ends == nil {
		list.length = len(list.payload) / max(1, b.count)
		return list
	}
	list.ends = make([]int, len(b.ends))
	for i, end := range b.ends {
		list.ends[i] = end * list.size
	}
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
