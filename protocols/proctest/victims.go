package proctest

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// Schedules are tried on victims, as many of them in one run as there are schedules. A victim does the
// same in each of its lives: it passes the step a, sends a request to its peer, receives the answer and
// passes the step b, three times. Before the third time it waits, and it is then that things happen by the clock.
//
// Schedules for victims have rank 0 for the victim, 1 for its peer, and count time in units. A unit is
// long enough for a victim to do what it does at once.
const (
	early     = 2 // in the first life, while a victim waits
	back      = 4 // it comes back
	late      = 6 // in the second life, or still in the first one, while a victim waits
	backAgain = 7
	goesOn    = 8 // the third time
	overAt    = 9 // nothing happens by the clock after that

	// delay is by how much messages are late. What one brings about begins at none of the instants above, and no
	// sooner than one of the same sender that left later, so it is clear what comes first.
	delay = 5
)

// trial is a run in which victims have their schedules.
type trial struct {
	schedules []faults.Schedule
	unit      clock.Time
	observations[diary]
}

// diary is what a rank has noted down: a victim what it has done, and a peer the requests that it has received.
type diary struct {
	Done  []note
	Asked []int64
}

// note is something that a victim has done.
type note struct {
	What       string
	Start, End clock.Time
}

func (n note) isReceive() bool { return strings.HasPrefix(n.What, receiving) }

const receiving = "receive"

// ranksFor is how many ranks there are: victims, then their peers, and one that keeps the run going.
func ranksFor(schedules int) int { return 2*schedules + 1 }

// schedule puts the schedules of all victims together.
func (t *trial) schedule() (all faults.Schedule) {
	for victim := range t.schedules {
		all = append(all, t.scheduleOf(victim)...)
	}
	return all
}

// scheduleOf is the schedule of a victim in terms of the run.
func (t *trial) scheduleOf(victim int) faults.Schedule {
	s := scaled(t.schedules[victim], t.unit)
	for i := range s {
		if f := &s[i]; f.Right == "" {
			f.Rank = victim
		} else {
			f.Left, f.Right = t.side(victim, f.Left), t.side(victim, f.Right)
		}
	}
	return s
}

// side is that of a victim or its peer.
func (t *trial) side(victim int, of faults.Group) faults.Group {
	if of == faults.GroupOf(0) {
		return faults.GroupOf(victim)
	}
	return faults.GroupOf(t.peer(victim))
}

func (t *trial) peer(victim int) int { return len(t.schedules) + victim }

// main is what all ranks do.
func (t *trial) main(p protocols.Proc, note func(func(own *diary))) {
	switch rank := p.Rank(); {
	case rank < len(t.schedules):
		t.beVictim(p, note)
	case rank < 2*len(t.schedules):
		t.bePeer(p, rank-len(t.schedules), note)
	default:
		p.WaitUntil(overAt * t.unit)
	}
}

// beVictim is what a victim does.
func (t *trial) beVictim(p protocols.Proc, remember func(func(own *diary))) {
	life, peer := p.Life(), t.peer(p.Rank())
	do := func(what string, round int, action func() mailbox.Message) {
		start := p.Now()
		m := action()
		end := p.Now()
		remember(func(own *diary) { own.Done = append(own.Done, note{named(life, what, round, m.A), start, end}) })
	}
	for round := 1; round <= 3; round++ {
		if round == 3 {
			p.WaitUntil(goesOn * t.unit)
		}
		do("a", round, func() (none mailbox.Message) { p.Step("a"); return none })
		do("send", round, func() (none mailbox.Message) { p.Send(peer, number(request(life, round))); return none })
		do(receiving, round, func() mailbox.Message { _, m := p.Recv(mailbox.From(peer)); return m })
		do("b", round, func() (none mailbox.Message) { p.Step("b"); return none })
	}
}

// bePeer is what a peer does, until the run is over.
func (t *trial) bePeer(p protocols.Proc, victim int, note func(func(own *diary))) {
	for {
		_, m := p.Recv(mailbox.From(victim))
		note(func(own *diary) { own.Asked = append(own.Asked, m.A) })
		p.Send(victim, m)
	}
}

// named says what a victim does, and which answer it gets, if it does.
func named(life int, what string, round int, answer int64) string {
	if what == receiving {
		return fmt.Sprintf("%s%d in life %d: %d", what, round, life, answer)
	}
	return fmt.Sprintf("%s%d in life %d", what, round, life)
}

// request is the number that a victim sends.
func request(life, round int) int { return 10*life + round }
