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

// orderSides puts the side with the smallest rank first, and Others last.
func (f *Fault) orderSides() {
	left, right := f.Left.stretches(), f.Right.stretches()
	if f.Left == Others || len(left) > 0 && len(right) > 0 && right[0].low < left[0].low {
		f.Left, f.Right = f.Right, f.Left
	}
}

// Sides says, for each of so many ranks, on which side of an explicit cut it is: 1 is the
// left one, 2 the right one, 0 neither. Other faults have no sides: nil.
func (f Fault) Sides(ranks int) []uint8 {
	if f.Kind != Cut || f.Select != One {
		return nil
	}
	sides := make([]uint8, ranks)
	if f.Right == Others {
		mark(sides, stretch{0, ranks - 1}, 2)
	}
	for _, s := range f.Right.stretches() {
		mark(sides, s, 2)
	}
	for _, s := range f.Left.stretches() {
		mark(sides, s, 1)
	}
	return sides
}

// mark puts ranks on a side. Ranks that do not exist are left out.
func mark(sides []uint8, s stretch, side uint8) {
	for rank := s.low; rank <= min(s.high, len(sides)-1); rank++ {
		sides[rank] = side
	}
}

// Cuts are the cuts of a schedule, for those who ask about many messages.
type Cuts []sidesFrom

// sidesFrom is a cut: on which side each rank is, and since when that matters.
type sidesFrom struct {
	from  clock.Time
	sides []uint8
}

// Cuts returns the cuts of an explicit schedule on a machine of that many ranks.
func (s Schedule) Cuts(ranks int) (all Cuts) {
	for i := range s {
		if f := &s[i]; f.Kind == Cut {
			all = append(all, sidesFrom{f.At.Time, f.Sides(ranks)})
		}
	}
	return all
}

// Swallow reports whether a message that leaves its sender at some instant is lost on the way.
// One that is under way when a link is cut arrives.
func (c Cuts) Swallow(from, to int, left clock.Time) bool {
	for i := range c {
		a, b := c[i].sides[from], c[i].sides[to]
		if left >= c[i].from && a != b && a != 0 && b != 0 {
			return true
		}
	}
	return false
}

// checkSides looks at what only cuts have.
func (f *Fault) checkSides(wrong *problems.List, ranks int) {
	switch {
	case f.Kind != Cut:
		unused(wrong, "Left", f.Left, f.Left != "", "cut")
		unused(wrong, "Right", f.Right, f.Right != "", "cut")
	case ranks < 2:
		wrong.Add("cut on %d rank, want 2 or more: nobody else is there to be cut off from", ranks)
	case f.Select != One:
		unused(wrong, "Left", f.Left, f.Left != "", "a cut that draws nothing")
		if f.Right != Others {
			wrong.Add("right side %q, want %q: drawn ranks are cut off from all others", f.Right, Others)
		}
	case f.Right == Others:
		if left := checkSide(wrong, "left", f.Left, ranks); sizeOf(left) == ranks {
			wrong.Add("no right side: all %d ranks are on the left", ranks)
		}
	default:
		f.checkBothSides(wrong, ranks)
	}
}

func (f *Fault) checkBothSides(wrong *problems.List, ranks int) {
	left, right := checkSide(wrong, "left", f.Left, ranks), checkSide(wrong, "right", f.Right, ranks)
	if left == nil || right == nil {
		return
	}
	if rank, both := shared(left, right); both {
		wrong.Add("rank %d is on both sides", rank)
	} else if right[0].low < left[0].low {
		wrong.Add("sides %s|%s, want the one with rank %d first", f.Left, f.Right, right[0].low)
	}
}

// checkSide checks one side of a cut, and returns its ranks if it is a set in canonical form.
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
