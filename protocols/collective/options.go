package collective

import (
	"math"
	"math/bits"

	"github.com/mangrove-emu/mangrove/clock"
)

// Strategy is what operations do about failures.
type Strategy uint8

const (
	// Tolerant operations begin and end with an agreement, and carry on after failures.
	Tolerant Strategy = iota
	// Optimistic operations are plain ones that end with an agreement, until a rank fails; then
	// they are tolerant.
	Optimistic
	// Plain operations fail with an error if a rank does, on ranks that notice. Others may wait for
	// these: whoever gives up has to revoke the communicator, Team.Comm().Revoke().
	Plain
)

// Backup says whether the ranks that have nothing to do any more in a reduce keep intermediate
// results for others.
type Backup uint8

const (
	// NoBackup keeps none: what a failed rank had combined is combined again.
	NoBackup Backup = iota
	// AllBackups sends every intermediate result back to whom the last value came from.
	AllBackups
	// CheaperBackups does what is expected to cost less, see Costs.
	CheaperBackups
)

// Costs are what CheaperBackups looks at.
type Costs struct {
	Machine clock.LogP
	// Combine is how long it takes to combine two values.
	Combine clock.Time
	// Own is how long it takes to have a task's own value again.
	Own clock.Time
	// Bytes is the size of a value.
	Bytes int
	// Failure is the probability that a rank fails during the operation.
	Failure float64
}

// Options of a team. The zero Options are good: tolerant, without backups.
type Options struct {
	Strategy Strategy
	Backup   Backup
	Costs    Costs
	// Restore is how long it takes to restore the data of a task that was taken over. Nil: no time.
	Restore func(task int) clock.Time
	// Combine is how long a reduce takes to combine two values. Nil: no time.
	Combine func(elements int) clock.Time
	// Observe is told what a rank of the machine has spent its time on. It is called on that rank.
	// Optional.
	Observe func(machineRank int, span Span)
}

// backups says whether a team of so many tasks keeps any.
func (o *Options) backups(tasks int) bool {
	return o.Backup == AllBackups || o.Backup == CheaperBackups && o.Costs.worthwhile(tasks)
}

// Activity is what a part of an operation is for.
type Activity uint8

const (
	Agreeing   Activity = iota // before or after the algorithm
	Exchanging                 // the algorithm
	Repairing                  // shrinking, taking over tasks, restoring
)

// String names it.
func (a Activity) String() string {
	return [...]string{"agree", "exchange", "repair"}[a]
}

// Span is a part of an operation on one rank.
type Span struct {
	Operation string // such as "reduce"
	Number    uint32 // of the operation on its team
	Activity  Activity
	From, To  clock.Time
}

// worthwhile is the cost-based choice of the thesis' section 3.5.
//
// Backups delay a reduce by two sends on every level of the tree, and by a message in the end, for
// which ranks wait that have nothing else to do. Because they wait they notice a failure, so that the
// communicator is revoked, and before anything is done again there are offers: three sends a level,
// and a message.
//
// Backups save combinations if a rank fails that has not sent its value yet. On level l that is one
// rank in 2^l, and it has combined l values: on the average over all levels, and over who fails, 2
// values divided by the number of levels. If it has combined any, its own value need not be had
// again, which makes 1 divided by the number of levels.
func (c Costs) worthwhile(tasks int) bool {
	levels := bits.Len(uint(tasks - 1))
	send, message := c.Machine.Costs().Spacing, c.Machine.Delivery()
	long := c.Machine.PerByte.Times(max(0, c.Bytes-1))
	always := (send + long).Times(2*levels) + message + long
	onFailure := send.Times(3*levels) + message
	saved := (2*float64(c.Combine) + float64(c.Own)) / float64(max(1, levels))
	anyFails := 1 - math.Pow(1-c.Failure, float64(tasks))
	return anyFails*(saved-float64(onFailure)) > float64(always)
}
