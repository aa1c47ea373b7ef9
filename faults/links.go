package faults

import (
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
)

// CutBetween is a cut between two sets of ranks, in either order. One of them may be [Others].
func CutBetween(a, b Group, t clock.Time) Fault {
	f := Fault{Kind: Cut, Left: a, Right: b, At: OnTime(t)}
	f.orderSides()
	return f
}

// CutOneWay is a cut of the links from one set of ranks to another, which does not keep the other from answering.
func CutOneWay(from, to Group, t clock.Time) Fault {
	return Fault{Kind: Cut, Left: from, Right: to, OneWay: true, At: OnTime(t)}
}

// orderSides puts the side with the smallest rank first, and Others last, where links go both ways.
func (f *Fault) orderSides() {
	if f.OneWay {
		return
	}
	left, right := f.Left.stretches(), f.Right.stretches()
	if f.Left == Others || len(left) > 0 && len(right) > 0 && right[0].low < left[0].low {
		f.Left, f.Right = f.Right, f.Left
	}
}

// Sides says, for each of so many ranks, on which side of explicit links it is: leftSide, rightSide, or 0 for
// neither. Other faults have no sides: nil.
func (f Fault) Sides(ranks int) []uint8 {
	if !f.OfLinks() || f.Select != One {
		return nil
	}
	sides := make([]uint8, ranks)
	if f.Right == Others {
		mark(sides, stretch{0, ranks - 1}, rightSide)
	}
	if f.Left == Others {
		mark(sides, stretch{0, ranks - 1}, leftSide)
	}
	for _, s := range f.Right.stretches() {
		mark(sides, s, rightSide)
	}
	for _, s := range f.Left.stretches() {
		mark(sides, s, leftSide)
	}
	return sides
}

const leftSide, rightSide uint8 = 1, 2

// mark puts ranks on a side. Ranks that do not exist are left out.
func mark(sides []uint8, s stretch, side uint8) {
	for rank := s.low; rank <= min(s.high, len(sides)-1); rank++ {
		sides[rank] = side
	}
}

// checkSides looks at what only links have.
func (f *Fault) checkSides(wrong *problems.List, ranks int) {
	switch {
	case !f.OfLinks():
		unused(wrong, "Left", f.Left, f.Left != "", links)
		unused(wrong, "Right", f.Right, f.Right != "", links)
		unused(wrong, "OneWay", f.OneWay, f.OneWay, links)
	case ranks < 2:
		wrong.Add("%s on %d rank, want 2 or more: nobody else is there to be cut off from", f.Kind, ranks)
	case f.Select != One:
		unused(wrong, "Left", f.Left, f.Left != "", "a fault that draws nothing")
		if f.Right != Others {
			wrong.Add("right side %q, want %q: of drawn ranks, all links to others are meant", f.Right, Others)
		}
		wrong.Check(f.Kind != Mend, "ranks to draw, want those that were cut off before")
	case f.Right == Others:
		f.checkOneSide(wrong, "left", f.Left, "right", ranks)
	case f.Left == Others && f.OneWay:
		f.checkOneSide(wrong, "right", f.Right, "left", ranks)
	default:
		f.checkBothSides(wrong, ranks)
	}
}

// links is who has sides.
const links = "a fault on links"

// checkOneSide checks the only side that is named. There must be others.
func (f *Fault) checkOneSide(wrong *problems.List, name string, g Group, other string, ranks int) {
	if all := checkSide(wrong, name, g, ranks); sizeOf(all) == ranks {
		wrong.Add("no %s side: all %d ranks are on the %s", other, ranks, name)
	}
}

func (f *Fault) checkBothSides(wrong *problems.List, ranks int) {
	left, right := checkSide(wrong, "left", f.Left, ranks), checkSide(wrong, "right", f.Right, ranks)
	if left == nil || right == nil {
		return
	}
	if rank, both := shared(left, right); both {
		wrong.Add("rank %d is on both sides", rank)
	} else if right[0].low < left[0].low && !f.OneWay {
		wrong.Add("sides %s|%s, want the one with rank %d first", f.Left, f.Right, right[0].low)
	}
}

// checkSide checks one side of links, and returns its ranks if it is a set in canonical form.
func checkSide(wrong *problems.List, name string, g Group, ranks int) []stretch {
	if g == "" || g == Others {
		wrong.Add("%s side %q, want ranks such as 0-3+9", name, g)
		return nil
	}
	all, err := parseStretches(string(g))
	if err != nil {
		wrong.Add("%s side: %w", name, err)
		return nil
	}
	if canonical := groupOf(all); canonical != g {
		wrong.Add("%s side %q, want %q", name, g, canonical)
		return nil
	}
	if known, last := rankSpan(ranks), int64(all[len(all)-1].high); !known.has(last) {
		wrong.Add("%s side: %w", name, known.problem(last))
	}
	return all
}
