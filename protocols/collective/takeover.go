package collective

import (
	"slices"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// takeOver gives the tasks of ranks that have failed to others: each to one that has the fewest
// tasks, and of these to the next one behind the rank that failed. All ranks come to the same
// result without a message, for it depends on nothing but who has left, in which order.
func (t *Team) takeOver(smaller *ulfm.Comm) {
	before := t.comm
	t.comm = smaller
	t.gone = append(t.gone, smaller.Left()...)
	lost := make([][]int, len(smaller.Left()))
	for i, failed := range smaller.Left() {
		lost[i] = t.tasksOf(failed)
		delete(t.extra, failed)
	}
	for i, failed := range smaller.Left() {
		for _, task := range lost[i] {
			to := t.heir(before, failed)
			t.taken[task] = to
			t.extra[to] = append(t.extra[to], task)
			t.moves = append(t.moves, move{task, to})
		}
	}
	t.mine = t.tasksOf(t.me())
}

// heir is who takes over the next task of a failed rank.
func (t *Team) heir(before *ulfm.Comm, failed int) int {
	fewest := t.fewestExtra()
	member, _ := before.Member(failed)
	for {
		member = (member + 1) % before.Size()
		machineRank := before.MachineRank(member)
		if _, left := t.comm.Member(machineRank); left && len(t.extra[machineRank]) == fewest {
			return machineRank
		}
	}
}

// fewestExtra is the smallest number of tasks that a rank has taken over.
func (t *Team) fewestExtra() int {
	if len(t.extra) < t.comm.Size() { // somebody is not in it
		return 0
	}
	fewest := t.Tasks()
	for _, tasks := range t.extra {
		fewest = min(fewest, len(tasks))
	}
	return fewest
}

// movedSince lists the tasks that were taken over since there were so many moves, in ascending
// order.
func (t *Team) movedSince(moves int) []int {
	var tasks []int
	for _, m := range t.moves[moves:] {
		tasks = append(tasks, m.task)
	}
	slices.Sort(tasks)
	return slices.Compact(tasks)
}
