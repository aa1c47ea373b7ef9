package collective_test

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/mangrove-emu/mangrove/check/emutest"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
)

// affine is the function x -> Factor*x + Term. To apply one after the other is associative, but
// not commutative, so a result says whether values were combined in order.
type affine struct{ Factor, Term int64 }

const prime = 1_000_003

func after(a, b affine) affine {
	return affine{a.Factor * b.Factor % prime, (a.Term*b.Factor + b.Term) % prime}
}

// value is what a task brings to a reduce.
func value(task int) []affine {
	return []affine{{int64(task + 2), int64(3*task + 1)}, {int64(task + 5), int64(task)}}
}

// block is what a task has for another, of a length that differs from pair to pair.
func block(from, to int) []int64 {
	list := make([]int64, 1+(from+2*to)%3)
	for i := range list {
		list[i] = int64(1000*from + 10*to + i)
	}
	return list
}

// even is the same with blocks of one length.
func even(from, to int) []int64 { return []int64{int64(from), int64(to)} }

func blocksOf(from, tasks int, block func(from, to int) []int64) [][]int64 {
	all := make([][]int64, tasks)
	for to := range all {
		all[to] = block(from, to)
	}
	return all
}

// result is what a rank has got: for each of its tasks, or for all of them.
type result map[int]any

const everyTask = -1

// call is an operation as the tests call it, with the results it must have.
type call struct {
	name string
	root int // who must have a result; everyTask: all
	run  func(t *collective.Team) (result, error)
	want func(task int) any
}

// atRoot makes a result of what only the rank of the root task gets.
func atRoot[T any](t *collective.Team, root int, got []T, err error) (result, error) {
	if err != nil || !t.Does(root) {
		return result{}, err
	}
	return result{root: got}, nil
}

// forMine makes a result of what all ranks get.
func forMine[T any](t *collective.Team, got []T, err error) (result, error) {
	all := result{}
	for _, task := range t.Mine() {
		all[task] = got
	}
	return all, err
}

// perTask makes a result of what ranks get for each of their tasks.
func perTask[T any](got map[int]T, err error) (result, error) {
	all := result{}
	for task, x := range got {
		all[task] = x
	}
	return all, err
}

// blocksPerTask takes the blocks apart that ranks get for each of their tasks; empty ones are nil.
func blocksPerTask(got map[int]collective.Blocks[int64], err error) (result, error) {
	all := result{}
	for task, blocks := range got {
		lists := make([][]int64, blocks.Len())
		for from := range lists {
			if block := blocks.Of(from); len(block) > 0 {
				lists[from] = block
			}
		}
		all[task] = lists
	}
	return all, err
}

// calls are all operations, with that root if they have one.
func calls(tasks, root int) []call {
	inputs := collective.Given(func(task int) []int64 { return block(task, task) })
	values := collective.Given(value)
	return []call{
		{"broadcast", everyTask, func(t *collective.Team) (result, error) {
			got, err := collective.Broadcast(t, root, inputs)
			return forMine(t, got, err)
		}, func(int) any { return block(root, root) }},
		{"scatter", everyTask, func(t *collective.Team) (result, error) {
			return perTask(collective.Scatter(t, root, collective.Given(func(task int) [][]int64 { return blocksOf(task, tasks, block) })))
		}, func(task int) any { return block(root, task) }},
		{"gather", root, func(t *collective.Team) (result, error) {
			got, err := collective.Gather(t, root, inputs)
			return atRoot(t, root, got, err)
		}, func(int) any { return allInputs(tasks) }},
		{"reduce", root, func(t *collective.Team) (result, error) {
			got, err := collective.Reduce(t, root, values, collective.Elementwise(after))
			return atRoot(t, root, got, err)
		}, func(int) any { return reduced(tasks, root) }},
		{"alltoall", everyTask, func(t *collective.Team) (result, error) {
			return perTask(collective.AllToAll(t, collective.Given(func(task int) [][]int64 { return blocksOf(task, tasks, even) })))
		}, func(task int) any { return received(tasks, task, even) }},
		{"alltoallv", everyTask, func(t *collective.Team) (result, error) {
			return perTask(collective.AllToAllV(t, collective.Given(func(task int) [][]int64 { return blocksOf(task, tasks, block) })))
		}, func(task int) any { return received(tasks, task, block) }},
		{"allgather", everyTask, func(t *collective.Team) (result, error) {
			got, err := collective.AllGather(t, inputs)
			return forMine(t, got, err)
		}, func(int) any { return allInputs(tasks) }},
		{"allreduce", everyTask, func(t *collective.Team) (result, error) {
			got, err := collective.AllReduce(t, values, collective.Elementwise(after))
			return forMine(t, got, err)
		}, func(int) any { return reduced(tasks, 0) }},
		{"barrier", everyTask, func(t *collective.Team) (result, error) {
			return forMine[int64](t, nil, collective.Barrier(t))
		}, func(int) any { return []int64(nil) }},
	}
}

// callsOfBlocks are those whose blocks are one list. They are the same operations as with lists.
func callsOfBlocks(tasks int) []call {
	return []call{
		{"alltoall of blocks", everyTask, func(t *collective.Team) (result, error) {
			return blocksPerTask(collective.AllToAllBlocks(t, collective.Given(func(task int) collective.Blocks[int64] {
				return collective.EvenBlocks(tasks, slices.Concat(blocksOf(task, tasks, even)...))
			})))
		}, func(task int) any { return received(tasks, task, even) }},
		{"alltoallv of blocks", everyTask, func(t *collective.Team) (result, error) {
			return blocksPerTask(collective.AllToAllVBlocks(t, collective.Given(func(task int) collective.Blocks[int64] {
				lists, ends := blocksOf(task, tasks, block), make([]int, tasks)
				for to, end := 0, 0; to < tasks; to++ {
					end += len(lists[to])
					ends[to] = end
				}
				return collective.UnevenBlocks(slices.Concat(lists...), ends)
			})))
		}, func(task int) any { return received(tasks, task, block) }},
	}
}

// The results without failures, computed in one place.

func allInputs(tasks int) [][]int64 {
	all := make([][]int64, tasks)
	for task := range all {
		all[task] = block(task, task)
	}
	return all
}

func reduced(tasks, root int) []affine {
	sum := value(root)
	for i := 1; i < tasks; i++ {
		next := value((root + i) % tasks)
		for j := range sum {
			sum[j] = after(sum[j], next[j])
		}
	}
	return sum
}

func received(tasks, task int, block func(from, to int) []int64) [][]int64 {
	all := make([][]int64, tasks)
	for from := range all {
		all[from] = block(from, task)
	}
	return all
}

// entry is what a rank has seen of a call.
type entry struct {
	result result
	mine   []int
	err    error
	done   bool
}

// instance is a program that calls an operation so many times: with two, failures come before, in
// and after it.
func (c call) instance(ranks int, options collective.Options, times int) emutest.Instance {
	seen := make([][2]entry, ranks)
	return emutest.Instance{
		Program: ulfm.Program(func(world *ulfm.Comm) {
			team := collective.NewTeam(world, options)
			for i := range times {
				got, err := c.run(team)
				seen[world.Rank()][i] = entry{got, team.Mine(), err, true}
			}
		}),
		Prepare: func() { clear(seen) },
		Check: func(rep *report.Report) error {
			for rank := range seen {
				for i, e := range seen[rank][:times] {
					if !rep.Ranks[rank].Outcome.Failed() && !e.done {
						return fmt.Errorf("rank %d: call %d has not returned", rank, i)
					}
					if err := c.wrong(e); err != nil {
						return fmt.Errorf("rank %d: call %d: %w", rank, i, err)
					}
				}
			}
			return nil
		},
	}
}

// wrong says what is wrong with what a rank got. The thesis calls a collective communication
// correct if every task's functioning rank has got what is the task's: who has failed since took
// its results with it.
func (c call) wrong(e entry) error {
	if e.err != nil {
		return e.err
	}
	for _, task := range e.mine {
		got, has := e.result[task]
		if must := c.root == everyTask || c.root == task; has != must {
			return fmt.Errorf("task %d: has a result: %v, want %v", task, has, must)
		}
		if want := c.want(task); has && !reflect.DeepEqual(got, want) {
			return fmt.Errorf("task %d: got %v, want %v", task, got, want)
		}
	}
	return nil
}
