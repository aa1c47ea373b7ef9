package paper

import "slices"

// Claim is something that a paper says in numbers, and what we find.
type Claim struct {
	What  string `json:"what"`
	Paper string `json:"paper"`
	Ours  string `json:"ours"`
	Holds bool   `json:"holds"` // ours is the paper's, or as close as it can be told

	checks []check // what it was judged by
}

// check is numbers that we have found, and where they must lie.
type check struct{ found, allowed *reach }

// in says where numbers must lie.
func (r *reach) in(allowed *reach) check { return check{r, allowed} }

// fails reports whether a number lies elsewhere, or cannot be told (NaN). Where there is no number nothing is shown.
func (c check) fails() bool {
	return !(c.allowed.low <= c.found.low && c.found.low <= c.found.high && c.found.high <= c.allowed.high)
}

// judged is a claim that holds if all numbers lie where they must.
func judged(what, paper, ours string, checks ...check) Claim {
	return Claim{what, paper, ours, !slices.ContainsFunc(checks, check.fails), checks}
}

// isSo is a claim that something is so.
func isSo(what string, checks ...check) Claim {
	c := judged(what, "yes", "no", checks...)
	if c.Holds {
		c.Ours = "yes"
	}
	return c
}

// verdict is a word where ours is not the paper's.
func (c Claim) verdict() string {
	if c.Holds {
		return ""
	}
	return "differs"
}
