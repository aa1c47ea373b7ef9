package collective

import (
	"math"
	"slices"

	"github.com/mangrove-emu/mangrove/internal/recent"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// takeOver gives the tasks of ranks that have failed to others: each to one that has the fewest
// tasks, and of these to the next one behind the rank that failed. All ranks come to the same
// result without a message, for it depends on nothing but who has left, in which order.
func (t *Team) takeOver(smaller *ulfm.Comm) {
	about := losses{t.comm.Membership(), smaller.Membership(), t.past}
	past := pasts.Of(about, func(losses) Past { return t.pastAfter(smaller) })
	if t.comm != t.first { // which is its owner's
		t.comm.Free()
	}
	t.comm = smaller
	t.past = past
	t.mine = t.tasksOf(t.me())
}

// losses are what the past of a team depends on when ranks have left it: who began with it are those who were left and those who had gone. Of
// those that come to the same one rank works it out.
type losses struct {
	before, after ulfm.Membership
	past          Past
}

var pasts recent.Results[losses, Past]

// pastAfter is the past once those have left that are no members of a communicator any more.
//
//go:noinline
func (t *Team) pastAfter(smaller *ulfm.Comm) Past {
	left := smaller.Left()
	e := estate{before: t.comm, after: smaller, extra: t.extraOf(left)}
	moves := make([]move, 0, len(left)) // most have one task
	var tasks []int
	for _, failed := range left {
		tasks = t.appendTasksOf(tasks[:0], failed)
		for _, task := range tasks {
			moves = append(moves, move{task, e.heir(failed)})
		}
	}
	return t.past.after(left, moves)
}

// extraOf says how many tasks each rank of the machine has taken over, if it is not among those who have left, in
// ascending order.
func (t *Team) extraOf(left []int) map[int32]int32 {
	owners := t.past.owners()
	extra := make(map[int32]int32, owners.len()+len(left))
	for i := range owners.len() {
		to := owners.at(i).to
		if _, gone := slices.BinarySearch(left, to); !gone {
			extra[int32(to)]++
		}
	}
	return extra
}

// estate is what the ranks that have failed leave to the others.
type estate struct {
	before, after *ulfm.Comm
	extra         map[int32]int32 // how many tasks ranks of the machine have taken over, of those who have any
}

// heir is who takes over the next task of a failed rank.
func (e *estate) heir(failed int) int {
	fewest := e.fewestExtra()
	member, _ := e.before.Member(failed)
	for {
		member = (member + 1) % e.before.Size()
		machineRank := e.before.MachineRank(member)
		if _, left := e.after.Member(machineRank); left && e.extra[int32(machineRank)] == fewest {
			e.extra[int32(machineRank)]++
			return machineRank
		}
	}
}

// fewestExtra is the smallest number of tasks that a rank has taken over.
func (e *estate) fewestExtra() int32 {
	if len(e.extra) < e.after.Size() { // somebody is not in it
		return 0
	}
	fewest := int32(math.MaxInt32)
	for _, tasks := range e.extra {
		fewest = min(fewest, tasks)
	}
	return fewest
}

// movedSince lists the tasks that were taken over since there were so many moves, in ascending
// order.
func (t *Team) movedSince(moves int) []int {
	var tasks []int
	all := t.past.moves()
	for i := moves; i < all.len(); i++ {
		tasks = append(tasks, all.at(i).task)
	}
	slices.Sort(tasks)
	return slices.Compact(tasks)
}
