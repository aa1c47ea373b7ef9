package collective

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Team is a number of tasks and the ranks that do them, as one of these ranks sees it. All ranks
// of a team call the same operations in the same order.
type Team struct {
	first *ulfm.Comm // task t was that of its member t
	comm  *ulfm.Comm // who is left
	past  Past
	mine  []int  // this rank's tasks, ascending
	calls uint32 // how many operations were begun

	// What comes of the Options, which are three times as long: every rank has a team.
	strategy Strategy
	backups  bool
	restore  func(task int) clock.Time
	combine  func(elements int) clock.Time
	observer func(machineRank int, span Span)
}

// NewTeam makes a team of all members of a communicator, with a task for each. There may be up to
// MaxTasks.
func NewTeam(comm *ulfm.Comm, options Options) *Team {
	if comm.Size() > MaxTasks {
		panic(fmt.Sprintf("collective: a team of %d ranks, want up to %d", comm.Size(), MaxTasks))
	}
	return &Team{
		first: comm, comm: comm, mine: []int{comm.Rank()},
		strategy: options.Strategy, backups: options.backups(comm.Size()),
		restore: options.Restore, combine: options.Combine, observer: options.Observe,
	}
}

// Tasks is the number of tasks. It never changes.
func (t *Team) Tasks() int { return t.first.Size() }

// Mine returns the tasks of this rank, in ascending order. More may come with every operation.
func (t *Team) Mine() []int { return slices.Clone(t.mine) }

// Does reports whether a task is this rank's.
func (t *Team) Does(task int) bool { return t.owner(task) == t.me() }

// Comm is the communicator of the ranks that are left, as far as is known. It changes when ranks
// fail.
func (t *Team) Comm() *ulfm.Comm { return t.comm }

// Whole reports whether no task was taken over so far.
func (t *Team) Whole() bool { return t.past.moves().len() == 0 }

// Past is what has become of the team's tasks so far. All ranks of the team have the same.
func (t *Team) Past() Past { return t.past }

// TakenOver returns the tasks that were taken over, and the ranks of the machine that have them now.
func (t *Team) TakenOver() map[int]int { return t.past.TakenOver() }

// Gone returns the ranks of the machine that have left the team, in the order in which they did.
func (t *Team) Gone() []int { return t.past.Gone() }

// Spend lets virtual time pass, as for a computation.
func (t *Team) Spend(ticks clock.Time) { t.comm.Spend(ticks) }

// me is this rank on the machine.
func (t *Team) me() int { return t.comm.Proc().Rank() }

// owner is the rank of the machine that does a task.
func (t *Team) owner(task int) int {
	if to, ok := t.past.owners().find(task); ok {
		return to
	}
	return t.first.MachineRank(task)
}

// member is the number of a task's rank in the present communicator.
func (t *Team) member(task int) int {
	member, ok := t.comm.Member(t.owner(task))
	if !ok {
		panic("collective: a task belongs to a rank that has left")
	}
	return member
}

// tasksOf returns the tasks of a rank of the machine, in ascending order: the one it began with
// and those it has taken over.
func (t *Team) tasksOf(machineRank int) []int { return t.appendTasksOf(nil, machineRank) }

func (t *Team) appendTasksOf(to []int, machineRank int) []int {
	begin := len(to)
	to = t.past.owners().appendTakenBy(to, machineRank)
	if task, ok := t.first.Member(machineRank); ok {
		to = append(to, task)
	}
	slices.Sort(to[begin:])
	return to
}
