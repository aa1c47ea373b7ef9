package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// seriesNotes is what a rank leaves behind of a series of broadcasts.
type seriesNotes struct {
	Got, Late int32
	Begin     []clock.Time // on the root
	// Last is when the last rank of the same process got each of them. To note that for each rank
	// would take too much memory where a process has many; the maximum over all is the same.
	Last []clock.Time
}

func (l *latencies) state(ranks int) scenarios.State {
	return scenarios.PerRank[seriesNotes]{Ranks: ranks, Forget: func() { l.reset(ranks) }, Left: l.notes, Take: l.add}
}

// notes are those of one rank.
func (l *latencies) notes(rank int) *seriesNotes {
	left := &seriesNotes{Got: l.got[rank], Late: l.late[rank], Last: make([]clock.Time, l.broadcasts)}
	for i := range left.Last {
		left.Last[i] = clock.Time(l.last[i].Load())
	}
	if rank == l.root {
		left.Begin = l.begin
	}
	return left
}

// add takes over the notes of a rank.
func (l *latencies) add(rank int, left *seriesNotes) error {
	if err := l.check(rank, left); err != nil {
		return err
	}
	l.got[rank], l.late[rank] = left.Got, left.Late
	for i, at := range left.Last {
		l.reach(i, at)
	}
	if rank == l.root {
		l.begin = left.Begin
	}
	return nil
}

// check refuses notes of another series.
func (l *latencies) check(rank int, left *seriesNotes) error {
	begun := 0
	if rank == l.root {
		begun = l.broadcasts
	}
	switch {
	case left.Got < 0 || int(left.Got) > l.broadcasts || len(left.Last) != l.broadcasts:
		return fmt.Errorf("%d of %d broadcasts, want %d", left.Got, len(left.Last), l.broadcasts)
	case len(left.Begin) != begun:
		return fmt.Errorf("the beginnings of %d broadcasts, want %d", len(left.Begin), begun)
	}
	return nil
}
