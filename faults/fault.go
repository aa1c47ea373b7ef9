package faults

import (
	"slices"
	"strconv"
)

// Schedule is what fails in a run. The order of its items decides which random stream
// each of them draws from, among which ranks a rejoin draws, and which of two faults of one
// rank at the same point comes first. It means nothing else.
type Schedule []Fault

// Fault is one item of a schedule: what happens, to which ranks, and when. Fields that
// its Kind and Select do not use are zero, so that equal faults compare equal with ==.
type Fault struct {
	Kind   Kind
	Select Select
	Rank   int     // One: the rank; none for Cut
	Number int     // Count: how many ranks
	Rate   Percent // Rate: probability for each rank
	Factor int     // Slow: ports take this many times as long, at least 2
	Left   Group   // Cut: the one side, unless it is drawn
	Right  Group   // Cut: the other side, or Others
	At     Point
}

// Kind is what happens to a rank.
type Kind uint8

// The package comment says what each of them means.
const (
	Crash Kind = iota
	Hang
	Slow
	Rejoin
	Cut
)

var kindNames = [...]string{Crash: "crash", Hang: "hang", Slow: "slow", Rejoin: "rejoin", Cut: "cut"}

// String returns the name that the text of a schedule uses.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kindNames[k]
}

// Stops reports whether a rank does nothing more afterwards: it crashes or hangs.
func (k Kind) Stops() bool { return k == Crash || k == Hang }

// Select is the way in which a fault chooses its ranks.
type Select uint8

const (
	One   Select = iota // exactly the rank Rank
	Count               // Number ranks, drawn uniformly without replacement
	Rate                // every rank, independently, with probability Rate
)

// on returns the same fault for one given rank.
func (f Fault) on(rank int) Fault {
	return Fault{Kind: f.Kind, Select: One, Rank: rank, Factor: f.Factor, At: f.At}
}

// off returns the cut of these ranks from all others.
func (f Fault) off(ranks []int) Fault {
	return Fault{Kind: Cut, Left: GroupOf(ranks...), Right: Others, At: f.At}
}

// Has reports whether there is an item of a kind.
func (s Schedule) Has(kind Kind) bool {
	return slices.ContainsFunc(s, func(f Fault) bool { return f.Kind == kind })
}

// Explicit reports whether every item names its ranks, so that nothing is left to draw.
func (s Schedule) Explicit() bool {
	return !slices.ContainsFunc(s, func(f Fault) bool { return f.Select != One })
}
