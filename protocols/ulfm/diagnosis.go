package ulfm

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/protocols"
)

// doing is what call a rank is in, and on whom it waits.
type doing struct {
	call      string
	c         *Comm
	agreement *agreement
	request   *Request
	peer      int32
	newcomer  int32 // the rank of the machine that is to be started, from 1
}

var idle = doing{}

// String is for people who look at a deadlock.
func (d doing) String() string {
	a := d.agreement
	if a == nil && d.request != nil {
		a = d.request.agreement
	}
	switch {
	case d.c == nil:
		return ""
	case d.newcomer > 0:
		return fmt.Sprintf("%s on %v, waiting for rank %d to be started anew", d.call, d.c, d.newcomer-1)
	case a != nil:
		what, members := a.how.waitsFor()
		text := fmt.Sprintf("%s on %v, waiting for %s %s", d.call, d.c, what, d.c.name(members))
		if other := a.how.against(); other != "" {
			text += ", which has called " + other
		}
		return text
	case d.request != nil && d.request.operation != nil:
		return fmt.Sprintf("%s on %v, waiting for %s", d.call, d.c, d.c.name(d.request.operation.waitsFor()))
	case d.peer == AnySource:
		return fmt.Sprintf("%s on %v, from any source", d.call, d.c)
	case d.peer == None:
		return fmt.Sprintf("%s on %v", d.call, d.c)
	}
	return fmt.Sprintf("%s on %v, with %s", d.call, d.c, d.c.name([]int{int(d.peer)}))
}

// name names members by their ranks on the machine.
func (c *Comm) name(members []int) string {
	machineRanks := make([]int, len(members))
	for i, member := range members {
		machineRanks[i] = c.group.machineRank(member)
	}
	slices.Sort(machineRanks)
	if len(machineRanks) == 1 {
		return fmt.Sprintf("rank %d", machineRanks[0])
	}
	return fmt.Sprintf("ranks %v", machineRanks)
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
func (d *Diary) Program(main func(world *Comm)) protocols.Program {
	return Options{Diary: d}.Program(main)
}

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
