package collective

import "math/bits"

// taskSet is a set of tasks, a bit for each.
type taskSet []uint64

func newTaskSet(tasks int) taskSet { return make(taskSet, (tasks+bits.UintSize-1)/bits.UintSize) }

func (s taskSet) add(task int)      { s[task/bits.UintSize] |= 1 << (task % bits.UintSize) }
func (s taskSet) has(task int) bool { return s[task/bits.UintSize]&(1<<(task%bits.UintSize)) != 0 }
