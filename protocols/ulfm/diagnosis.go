package ulfm

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/protocols"
)

// doing is what call a rank is in, and on whom it waits.
type doing struct {
	call string
	c    *Comm
	peer int
}

var idle = doing{}

// String is for people who look at a deadlock.
func (d doing) String() string {
	if d.c == nil {
		return ""
	}
	switch d.call {
	case "Agree", "Shrink", "Create":
		return fmt.Sprintf("%s of %v, %s", d.call, d.c, d.c.agreement(d.c.called-1).waitsFor())
	}
	if d.peer == AnySource {
		return fmt.Sprintf("%s from any source on %v", d.call, d.c)
	}
	return fmt.Sprintf("%s with rank %d on %v", d.call, d.c.group.machineRank(d.peer), d.c)
}

// Diary remembers the call that each rank of a run is in, so that a deadlock can be explained:
// what the machine sees is only that ranks wait for messages. A Diary serves one run after the
// other.
type Diary struct {
	ranks []*rank
}

// NewDiary returns one for a machine of so many ranks.
func NewDiary(ranks int) *Diary { return &Diary{make([]*rank, ranks)} }

// Program is like the function of that name, and notes what the ranks do.
func (d *Diary) Program(main func(world *Comm)) protocols.Program { return program(main, d) }

// Waiting says in which call a rank waits, and for what; "" if it is in none. It may be asked when
// the run is over.
func (d *Diary) Waiting(machineRank int) string {
	if r := d.ranks[machineRank]; r != nil {
		return r.doing.String()
	}
	return ""
}

// Reset forgets the last run.
func (d *Diary) Reset() { clear(d.ranks) }

// waitsFor says for what, in words.
func (a *agreement) waitsFor() string {
	machineRanks := make([]int, len(a.awaited))
	for i, member := range a.awaited {
		machineRanks[i] = a.c.group.machineRank(member)
	}
	slices.Sort(machineRanks)
	switch len(machineRanks) {
	case 0:
		return fmt.Sprintf("waiting for the decision from rank %d", a.c.group.machineRank(a.above))
	case 1:
		return fmt.Sprintf("waiting for the vote of rank %d", machineRanks[0])
	}
	return fmt.Sprintf("waiting for the votes of ranks %v", machineRanks)
}
