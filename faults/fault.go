package faults

import (
	"slices"
	"strconv"

	"github.com/mangrove-emu/mangrove/clock"
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
	Rank   int     // One: the rank; none for links
	Number int     // Count: how many ranks
	Rate   Percent // Rate: probability for each rank
	Factor int     // Slow: ports take this many times as long, at least 2
	Left   Group   // of links: the one side, unless it is drawn
	Right  Group   // of links: the other side, or Others
	OneWay bool    // of links: only those from Left to Right
	At     Point
	Until  clock.Time // of the messages on links: when it is over; 0 if never
	Delay  clock.Time // Late: so much later; Twice: so long after the first time
	Kept   Group      // Crash and Hang: which changes of the rank's storage are kept that are not safe, see [Fault.Keeps]; "": none
}

// Kind is what happens, to a rank, to the links or to a message.
type Kind uint8

// The package comment says what each of them means.
const (
	Crash Kind = iota
	Hang
	Slow
	Rejoin
	Cut
	Mend
	Late
	Lose
	Twice
)

var kindNames = [...]string{
	Crash: "crash", Hang: "hang", Slow: "slow", Rejoin: "rejoin", Cut: "cut", Mend: "mend", Late: "late", Lose: "lose", Twice: "twice",
}

// String returns the name that the text of a schedule uses.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kindNames[k]
}

// Stops reports whether a rank does nothing more afterwards: it crashes or hangs.
func (k Kind) Stops() bool { return k == Crash || k == Hang }

// OfMessages reports whether it happens to messages on their way: they are late, lost, or arrive twice.
func (k Kind) OfMessages() bool { return k == Late || k == Lose || k == Twice }

// Delays reports whether it comes with a delay: something happens to messages so many ticks later.
func (k Kind) Delays() bool { return k == Late || k == Twice }

// OfLinks reports whether the fault happens on links, whoever sends over them, and not to one rank or what that sends.
func (f *Fault) OfLinks() bool {
	return f.Kind == Cut || f.Kind == Mend || f.Kind.OfMessages() && f.Right != ""
}

// Select is the way in which a fault chooses its ranks.
type Select uint8

const (
	One   Select = iota // exactly the rank Rank
	Count               // Number ranks, drawn uniformly without replacement
	Rate                // every rank, independently, with probability Rate
)

// on returns the same fault for one given rank.
func (f Fault) on(rank int) Fault {
	f.Select, f.Number, f.Rate, f.Rank = One, 0, 0, rank
	return f
}

// off returns the same fault on the links between these ranks and all others.
func (f Fault) off(ranks []int) Fault {
	f.Select, f.Number, f.Rate, f.Left = One, 0, 0, GroupOf(ranks...)
	return f
}

// Has reports whether there is an item of a kind.
func (s Schedule) Has(kind Kind) bool {
	return slices.ContainsFunc(s, func(f Fault) bool { return f.Kind == kind })
}

// Explicit reports whether every item names its ranks, so that nothing is left to draw.
func (s Schedule) Explicit() bool {
	return !slices.ContainsFunc(s, func(f Fault) bool { return f.Select != One })
}
