package faults

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
)

// Group is a set of ranks as text: ranks and ranges, ascending and as few as possible, with
// "+" between them, such as "0-3+9". That is the only text of a set, so that equal sets
// compare equal with ==.
type Group string

// Others, on the right side of a cut, are all ranks that are not on the left.
const Others Group = "*"

// GroupOf returns the set of these ranks, in whatever order and however often they are named.
func GroupOf(ranks ...int) Group {
	all := make([]stretch, len(ranks))
	for i, rank := range ranks {
		all[i] = stretch{rank, rank}
	}
	return groupOf(all)
}

// parseGroup reads a set of ranks, which need not be in the canonical form: "2+0-1" is "0-2".
// [Others] is "*".
func parseGroup(text string) (Group, error) {
	if text == string(Others) {
		return Others, nil
	}
	all, err := parseStretches(text)
	if err != nil {
		return "", err
	}
	return groupOf(all), nil
}

// Ranks returns the ranks of the set, ascending; none of [Others], which depend on the other
// side.
func (g Group) Ranks() []int { return g.First(g.Size()) }

// First returns up to so many of the ranks of the set, from the smallest on: a set may have more than fit into memory.
func (g Group) First(most int) []int {
	ranks := make([]int, 0, min(most, g.Size()))
	for _, s := range g.stretches() {
		for rank := s.low; rank <= s.high && len(ranks) < most; rank++ {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// Size is how many ranks the set has, 0 for [Others].
func (g Group) Size() int { return sizeOf(g.stretches()) }

// stretches returns the ranges of the set; nil for Others and for what is no set.
func (g Group) stretches() []stretch {
	all, err := parseStretches(string(g))
	if err != nil {
		return nil
	}
	return all
}

// stretch is a row of neighbouring ranks, both ends included.
type stretch struct{ low, high int }

// groupOf prints a set in its canonical form.
func groupOf(all []stretch) Group {
	var parts []string
	for _, s := range merged(all) {
		part := strconv.Itoa(s.low)
		if s.high > s.low {
			part += "-" + strconv.Itoa(s.high)
		}
		parts = append(parts, part)
	}
	return Group(strings.Join(parts, "+"))
}

// merged sorts stretches and joins those that meet.
func merged(all []stretch) []stretch {
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.low, b.low) })
	joined := all[:0]
	for _, s := range all {
		if last := len(joined) - 1; last >= 0 && s.low <= joined[last].high+1 {
			joined[last].high = max(joined[last].high, s.high)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

func sizeOf(all []stretch) int {
	size := 0
	for _, s := range all {
		size += s.high - s.low + 1
	}
	return size
}

// shared finds a rank that two sets have in common. Both are ascending.
func shared(a, b []stretch) (rank int, found bool) {
	for len(a) > 0 && len(b) > 0 {
		if rank = max(a[0].low, b[0].low); rank <= min(a[0].high, b[0].high) {
			return rank, true
		}
		if a[0].high < b[0].high {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return 0, false
}

func parseStretches(text string) ([]stretch, error) {
	return parseRanges(text, rankSpan(clock.MaxRanks))
}

// parseRanges reads numbers and ranges of them.
func parseRanges(text string, number span) ([]stretch, error) {
	var all []stretch
	for part := range strings.SplitSeq(text, "+") {
		s, err := parseStretch(part, number)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func parseStretch(text string, number span) (stretch, error) {
	first, last, isRange := strings.Cut(text, "-")
	low, err := number.parse(first)
	if err != nil || !isRange {
		return stretch{int(low), int(low)}, err
	}
	high, err := number.parse(last)
	if err == nil && high < low {
		err = fmt.Errorf("range %q, want the smaller %s first", text, number.what)
	}
	return stretch{int(low), int(high)}, err
}
