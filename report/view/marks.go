package view

import (
	"cmp"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/report"
)

// turnNames are the kinds of turns, whether or not a run has them.
var turnNames = []string{report.EventCrash.String(), report.EventHang.String(), report.EventRejoin.String(), report.EventSlow.String()}

// names numbers names in the order in which they come up.
type names struct {
	names []string
	at    map[string]int
}

func (n *names) index(name string) int {
	if i, known := n.at[name]; known {
		return i
	}
	if n.at == nil {
		n.at = make(map[string]int)
	}
	n.at[name] = len(n.names)
	n.names = append(n.names, name)
	return len(n.names) - 1
}

// marks are instants of ranks.
type marks struct {
	names names
	all   []mark
}

type mark struct {
	rank  int
	time  clock.Time
	what  int
	value int64
}

func (m *marks) add(rank int, at clock.Time, name string, value int64) {
	m.all = append(m.all, mark{rank, at, m.names.index(name), value})
}

func (m *marks) sort() {
	slices.SortStableFunc(m.all, func(a, b mark) int { return cmp.Compare(a.time, b.time) })
}

func (m *marks) columns() markColumns {
	return markColumns{
		Count: len(m.all),
		Names: list(m.names.names),
		Rank:  columnOf(m.all, func(x *mark) int64 { return int64(x.rank) }),
		Time:  columnOf(m.all, func(x *mark) int64 { return int64(x.time) }).steps(),
		What:  columnOf(m.all, func(x *mark) int64 { return int64(x.what) }),
		Value: columnOf(m.all, func(x *mark) int64 { return x.value }),
	}
}

// columnOf has one number of each thing.
func columnOf[T any](all []T, of func(*T) int64) column {
	c := make(column, len(all))
	for i := range all {
		c[i] = of(&all[i])
	}
	return c
}
