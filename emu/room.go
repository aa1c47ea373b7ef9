package emu

import (
	"fmt"
	"sort"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
)

// What does not fit into memory would end in the death of a process instead of a message. So what a machine needs is estimated before it
// is made, and refused if there is not as much.

// Bytes that a machine takes, about.
const (
	// usualBytesPerRank is what a rank takes at most in an ordinary protocol: goroutine, stack, channel and messages.
	usualBytesPerRank = 3300
	// eventBytesPerRank is what a rank takes besides if events are recorded.
	eventBytesPerRank = 2 * usualBytesPerRank
	resultBytes       = 24 // of a rank in a report
	watcherBytes      = 8  // of a rank that a failure detector may be asked for
	sideBytes         = 1  // of a rank that a fault of links may be about
	// faultBytes is what a fault takes in each process: in the schedule, and while that is checked.
	faultBytes = 600
	// faultyBytes is what a rank with faults takes besides, where it is: for what becomes of them.
	faultyBytes = 3500
)

// maxShare is how many ranks a process can have. Messages are told apart by 31 bits, which leaves eight for each rank, in reserve or under way.
const maxShare = 1 << 28

// Need is what a machine takes of memory. Processes that share its ranks have a block of them each, and all blocks count as equally large.
type Need struct {
	Ranks int `json:"ranks"` // of all processes
	// PerRank is how many bytes a rank takes in the process that has it.
	PerRank int64 `json:"per_rank"`
	// Everywhere is how many bytes each process has for each rank of the machine, whoever has it.
	Everywhere float64 `json:"everywhere"`
	// Fixed is how many bytes each process has besides.
	Fixed int64 `json:"fixed"`
	// Shared is how many bytes all processes have together, each as many as the others.
	Shared int64 `json:"shared"`
	// First is how many bytes the first of several processes has for each rank of the machine besides, as it gets what others have found.
	First int64 `json:"first"`
}

// Need is what the machine takes with such a schedule, whether that is expanded or not, and an ordinary protocol.
func (c Config) Need(schedule faults.Schedule) Need {
	n := Need{Ranks: c.Ranks, PerRank: usualBytesPerRank}
	if c.Detection.Delay > 0 {
		n.Everywhere += watcherBytes
	}
	if c.Trace >= TraceEvents {
		n.PerRank += eventBytesPerRank
		n.First += eventBytesPerRank + resultBytes
	}
	for i := range schedule {
		n.add(&schedule[i])
	}
	return n
}

// add counts what a fault stands for.
func (n *Need) add(f *faults.Fault) {
	switch {
	case f.OfLinks():
		n.Everywhere += sideBytes
		n.Fixed += faultBytes
	case f.Select == faults.Count:
		n.Fixed += int64(f.Number) * faultBytes
		n.Shared += int64(f.Number) * faultyBytes
	case f.Select == faults.Rate:
		rate := float64(f.Rate) / float64(100*faults.OnePercent)
		n.Everywhere += rate * faultBytes
		n.PerRank += int64(rate * faultyBytes)
	default:
		n.Fixed += faultBytes
		n.Shared += faultyBytes
	}
}

// Bytes is what the machine takes in a process of its own.
func (n Need) Bytes() float64 { return n.bytes(0, 1, n.Ranks) }

// Times is what so many of these machines take, all at the same time.
func (n Need) Times(machines int) Need {
	n.PerRank *= int64(machines)
	n.Everywhere *= float64(machines)
	n.Fixed *= int64(machines)
	n.Shared *= int64(machines)
	return n
}

// bytes is what one of so many processes takes of a machine of that many ranks. It may be more than any number of bytes.
func (n *Need) bytes(process, processes, ranks int) float64 {
	bytes := float64(n.PerRank)*float64(shareSize(ranks, processes)) + n.Everywhere*float64(ranks) + float64(n.Fixed) + float64(n.Shared)/float64(processes)
	if process == 0 && processes > 1 {
		bytes += float64(n.First) * float64(ranks)
	}
	return bytes
}

// shareSize is how many ranks a process has at most.
func shareSize(ranks, processes int) int { return parts.BlockOf(0, processes, ranks).Len }

// CheckMemory refuses machines of so many ranks, so many at a time, that do not fit into memory. One that records events takes as much as
// three. It lets everything pass where it cannot tell.
func CheckMemory(ranks, machines int) error {
	c := Config{LogP: clock.LogP{Ranks: ranks}}
	return c.Need(nil).Times(machines).Check(Limits(), nil)
}

// Check refuses what does not fit into memory, and says what would. If several processes share the ranks, they all call it with the same need, each with
// what limits it, and get the same answer: those that share a limit must fit into it together. What is not known limits nobody. The error is a
// [RoomError] unless the processes have lost each other.
func (n Need) Check(limits []Limit, group parts.Group) error {
	all := []claim{{n, limits}}
	if group != nil && group.Count() > 1 {
		var err error
		if all, err = exchangeClaims(all[0], group); err != nil {
			return err
		}
	}
	return all[0].Need.fits(sharedLimits(all), len(all))
}

// fits refuses what does not fit into what some processes share.
func (n *Need) fits(limits []sharedLimit, processes int) error {
	for i := range limits {
		limits[i].most = limits[i].largest(n, processes)
	}
	// The tightest comes first. Of equals it is the one that somebody has named first.
	sort.SliceStable(limits, func(i, j int) bool { return limits[i].most < limits[j].most })
	if len(limits) == 0 || limits[0].most >= n.Ranks {
		return checkShare(n.Ranks, processes)
	}
	l := limits[0]
	said := fmt.Sprintf("not enough memory for P=%d: about %s", n.Ranks, gigabytes(l.need(n, processes, n.Ranks)))
	if processes > 1 {
		said += fmt.Sprintf(" for %d of %d processes", len(l.processes), processes)
	}
	said += fmt.Sprintf(", and %s has %s left; ", l.Name, gigabytes(float64(l.Bytes)))
	switch most := min(l.most, maxShare*processes); {
	case most == 0 && n.Fixed+n.Shared > 0:
		return refuse("%snot even P=1 fits with so many faults", said)
	case most == 0:
		return refuse("%snot even P=1 fits", said)
	case processes > 1:
		return refuse("%swant P=%d or less, as all processes have equally many ranks", said, most)
	default:
		return refuse("%swant P=%d or less", said, most)
	}
}

// RoomError says that a machine does not fit, and what would.
type RoomError struct{ said string }

func (e *RoomError) Error() string { return e.said }

// refuse makes a RoomError.
func refuse(format string, values ...any) error { return &RoomError{fmt.Sprintf(format, values...)} }

// checkShare refuses more ranks than so many processes can have, however much memory there is.
func checkShare(ranks, processes int) error {
	if shareSize(ranks, processes) <= maxShare {
		return nil
	}
	return refuse("P=%d ranks in %s: one process can have up to %d of them; want %d processes or more", ranks, text.Count(processes, "process"), maxShare, (ranks+maxShare-1)/maxShare)
}

func gigabytes(bytes float64) string { return fmt.Sprintf("%.1f GB", bytes/1e9) }
