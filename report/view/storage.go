package view

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// storageColumns are what ranks of the range did with their stable storage, and what they lost of it.
type storageColumns struct {
	Count int      `json:"count"`
	Kinds []string `json:"kinds"` // as in a printed trace
	Names []string `json:"names"` // of records; "" where all of them are meant
	Rank  column   `json:"rank"`
	Kind  column   `json:"kind"`  // index into Kinds
	Name  column   `json:"name"`  // index into Names
	Start column   `json:"start"` // after the one before
	Took  column   `json:"took"`
	Lost  column   `json:"lost"` // how many changes, where the kind is to forget
}

// stored is what a rank did with its storage.
type stored struct {
	rank       int
	kind, name int
	start      clock.Time
	took       clock.Time
	lost       int64
}

// storage collects what ranks do with their storage, in the order in which it begins.
type storage struct {
	kinds, names names
	all          []stored
}

func (s *storage) add(a *traceevent.Act) {
	x := stored{rank: a.Rank, kind: s.kinds.index(a.Kind.String()), name: s.names.index(a.Step), start: a.Start, took: a.End - a.Start}
	if a.Kind == report.EventForget {
		x.lost = a.A
	}
	s.all = append(s.all, x)
}

// columns are nil where nothing is stored, so that pages of such runs have nothing of it.
func (s *storage) columns() *storageColumns {
	if len(s.all) == 0 {
		return nil
	}
	of := func(f func(*stored) int64) column { return columnOf(s.all, f) }
	return &storageColumns{
		Count: len(s.all),
		Kinds: s.kinds.names,
		Names: s.names.names,
		Rank:  of(func(x *stored) int64 { return int64(x.rank) }),
		Kind:  of(func(x *stored) int64 { return int64(x.kind) }),
		Name:  of(func(x *stored) int64 { return int64(x.name) }),
		Start: of(func(x *stored) int64 { return int64(x.start) }).steps(),
		Took:  of(func(x *stored) int64 { return int64(x.took) }),
		Lost:  of(func(x *stored) int64 { return x.lost }),
	}
}
