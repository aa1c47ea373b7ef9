package collective

import "github.com/mangrove-emu/mangrove/clock"

// Strategy is what operations do about failures.
type Strategy uint8

const (
	// Tolerant operations begin and end with an agreement, and carry on after failures.
	Tolerant Strategy = iota
	// Optimistic operations are plain ones that end with an agreement, until a rank fails; then
	// they are tolerant.
	Optimistic
	// Plain operations fail with an error if a rank does.
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

// worthwhile is the cost-based choice of the thesis' section 3.5. A backup delays every level of
// the tree by a send. Without backups a failure costs, on the average, half of the levels again:
// messages up the tree and combinations.
func (c Costs) worthwhile(tasks, bytes int) bool {
	costs := c.Machine.Costs()
	long := c.Machine.PerByte.Times(max(0, bytes-1))
	delay := float64(costs.Spacing + long)
	again := float64(c.Machine.Delivery() + long + c.Combine)
	return c.Failure*float64(tasks)*again/2 > delay
}
