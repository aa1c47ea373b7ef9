package conformance

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Rank is a rank that runs a case.
type Rank struct {
	World *ulfm.Comm
	me    int // on the machine
	notes *[]note

	served int // how much work it has done
}

// note is what a rank requires.
type note struct {
	rank  int
	at    clock.Time
	what  string
	wrong func(h *history) string // what is wrong with it, or ""
	same  any                     // must be that of all others who have noted this; nil: need not
}

// class is a set of errors.
type class uint8

const (
	ok class = 1 << iota
	failed
	pending
	revoked
)

// classOf is the set with one error; 0 if it is another one.
func classOf(err error) class {
	switch {
	case err == nil:
		return ok
	case errors.Is(err, ulfm.ErrProcFailed):
		return failed
	case errors.Is(err, ulfm.ErrProcFailedPending):
		return pending
	case errors.Is(err, ulfm.ErrRevoked):
		return revoked
	}
	return 0
}

func (r *Rank) note(what string, wrong func(h *history, at clock.Time) string) {
	at := r.World.Proc().Now()
	*r.notes = append(*r.notes, note{rank: r.me, at: at, what: what, wrong: func(h *history) string { return wrong(h, at) }})
}

// any requires one of some errors, or success, of a call on a communicator. That ranks have failed may be said only
// if one has.
func (r *Rank) any(c *ulfm.Comm, call string, err error, allowed class) {
	members := c.Members()
	r.note(call, func(h *history, at clock.Time) string {
		got := classOf(err)
		switch {
		case got&allowed == 0:
			return fmt.Sprintf("%v", err)
		case got&(failed|pending) != 0 && !slices.ContainsFunc(members, func(m int) bool { return h.everFailed(m, at) }):
			return fmt.Sprintf("%v, but no member has", err)
		}
		return ""
	})
}

// must requires success of a call that needs these members, as long as none of them has failed.
func (r *Rank) must(c *ulfm.Comm, call string, err error, needs ...int) {
	machineRanks := make([]int, len(needs))
	for i, member := range needs {
		machineRanks[i] = c.MachineRank(member)
	}
	r.mustUnless(call, err, failed|pending, machineRanks)
}

// mustAll requires success of a call that needs all members.
func (r *Rank) mustAll(c *ulfm.Comm, call string, err error) {
	r.mustUnless(call, err, failed, c.Members())
}

// mustAlways requires success.
func (r *Rank) mustAlways(call string, err error) { r.mustUnless(call, err, 0, nil) }

// mustUnless requires success as long as none of these ranks of the machine has failed, and then that or one of the others.
func (r *Rank) mustUnless(call string, err error, others class, machineRanks []int) {
	r.note(call, func(h *history, at clock.Time) string {
		got := classOf(err)
		down := slices.ContainsFunc(machineRanks, func(m int) bool { return h.down(m, at) })
		if got == ok || down && got&others != 0 {
			return ""
		}
		return fmt.Sprintf("%v", err)
	})
}

// is requires a value.
func (r *Rank) is(what string, got, want any) {
	r.note(what, func(*history, clock.Time) string { return differs(got, want) })
}

// isUnless requires a value as long as no rank has failed but those that fail in the case as it is.
func (r *Rank) isUnless(what string, got, want any) {
	r.note(what, func(h *history, at clock.Time) string {
		if h.more(at) {
			return ""
		}
		return differs(got, want)
	})
}

func differs(got, want any) string {
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		return fmt.Sprintf("%s, want %s", g, w)
	}
	return ""
}

// same requires that a value is the same on all ranks that note it and do not fail.
func (r *Rank) same(what string, value any) {
	r.note(what, func(*history, clock.Time) string { return "" })
	(*r.notes)[len(*r.notes)-1].same = value
}

// never is noted where a program must not come to.
func (r *Rank) never(what string) {
	r.note(what, func(*history, clock.Time) string { return "happened" })
}

// die is where the schedule of a case lets the rank fail.
func (r *Rank) die() {
	r.World.Proc().Step(StepDie)
	panic(fmt.Sprintf("conformance: rank %d has outlived the end of its life", r.me))
}

// nap is longer than it takes any detector of these tests to notice a failure, and all messages to arrive.
const nap clock.Time = 1000

// sleep is time outside of all calls.
func (r *Rank) sleep(t clock.Time) { r.World.Spend(t) }

// others are all members but some.
func others(c *ulfm.Comm, but ...int) (members []int) {
	for member := range c.Size() {
		if !slices.Contains(but, member) {
			members = append(members, member)
		}
	}
	return members
}

// truth is a flag for Agree.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
