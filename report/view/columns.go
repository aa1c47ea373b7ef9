package view

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mangrove-emu/mangrove/report"
)

// messageColumns are the messages that were kept.
func (c *collector) messageColumns() messageColumns {
	of := func(f func(*message) int64) column { return columnOf(c.messages, f) }
	return messageColumns{
		Count:  len(c.messages),
		From:   of(func(m *message) int64 { return int64(m.from) }),
		To:     of(func(m *message) int64 { return int64(m.to) }),
		Kind:   of(func(m *message) int64 { return int64(m.kind) }),
		Epoch:  of(func(m *message) int64 { return int64(m.epoch) }),
		A:      of(func(m *message) int64 { return m.a }),
		Sent:   of(func(m *message) int64 { return int64(m.start) }).steps(),
		Took:   of(func(m *message) int64 { return int64(m.sent - m.start) }),
		Fate:   of(func(m *message) int64 { return int64(m.fate) }),
		Flight: of(func(m *message) int64 { return int64(m.arrived - m.sent) }),
		Takes:  of(func(m *message) int64 { return int64(m.done - m.arrived) }),
		Late:   of(func(m *message) int64 { return int64(m.late) }),
		Again:  of(func(m *message) int64 { return number(m.again) }),
	}
}

func (c *collector) noticeColumns() noticeColumns {
	of := func(f func(*notice) int64) column { return columnOf(c.notices, f) }
	return noticeColumns{
		Count: len(c.notices),
		Rank:  of(func(n *notice) int64 { return int64(n.rank) }),
		About: of(func(n *notice) int64 { return int64(n.about) }),
		Start: of(func(n *notice) int64 { return int64(n.start) }).steps(),
		Took:  of(func(n *notice) int64 { return int64(n.end - n.start) }),
	}
}

func (c *collector) rankColumns() rankColumns {
	shown := c.run.Report.Ranks[c.run.Ranks.First : c.run.Ranks.Last+1]
	r := rankColumns{
		Outcome:  columnOf(shown, func(r *report.RankResult) int64 { return int64(r.Outcome) }),
		Coloured: columnOf(shown, func(r *report.RankResult) int64 { return ticks(r.Coloured) }),
		Exit:     columnOf(shown, func(r *report.RankResult) int64 { return ticks(r.Exit) }),
		By:       columnOf(c.by[c.run.Ranks.First:c.run.Ranks.Last+1], func(by *int32) int64 { return int64(*by) }),
		Sent:     c.sent,
		Received: c.received,
	}
	for o := report.Finished; o <= report.Deadlocked; o++ {
		r.Names = append(r.Names, o.String())
	}
	return r
}

// maxAncestors is how many ranks outside of the range the tree has at most.
const maxAncestors = 1 << 12

// ancestors are the ranks outside of the range from which its ranks were reached.
func (c *collector) ancestors() ancestorColumns {
	found := make(map[int]bool)
	for rank := c.run.Ranks.First; rank <= c.run.Ranks.Last && !c.run.Uncoloured; rank++ {
		for above := c.above(rank); above >= 0 && len(found) < maxAncestors; above = c.above(above) {
			if !c.run.Ranks.has(above) {
				found[above] = true
			}
		}
	}
	ranks := slices.Sorted(maps.Keys(found))
	return ancestorColumns{
		Count:    len(ranks),
		Rank:     columnOf(ranks, func(rank *int) int64 { return int64(*rank) }),
		Coloured: columnOf(ranks, func(rank *int) int64 { return ticks(c.run.Report.Ranks[*rank].Coloured) }),
		By:       columnOf(ranks, func(rank *int) int64 { return int64(c.by[*rank]) }),
	}
}

// above is the rank that coloured another, and was coloured before it; -1 if there is none. Ranks
// that send before they have received anything may colour each other.
func (c *collector) above(rank int) int {
	by, ranks := int(c.by[rank]), c.run.Report.Ranks
	if by < 0 || ranks[by].Coloured >= ranks[rank].Coloured {
		return -1
	}
	return by
}

// leftOut says what is not drawn.
func (c *collector) leftOut() []string {
	said := []string{}
	if size := len(c.run.Report.Ranks); c.run.Ranks.size() < size {
		said = append(said, fmt.Sprintf("Ranks %d to %d of %d are drawn; the curves and the report are about all. Choose others with --ranks a..b.",
			c.run.Ranks.First, c.run.Ranks.Last, size))
	}
	if c.dropped > 0 {
		what := "messages, notices and steps"
		if len(c.storage.all) > 0 {
			what = "messages, notices, steps and operations of storage"
		}
		said = append(said, fmt.Sprintf("From t=%d on, %d %s are not drawn: a page has room for %d. Choose fewer ranks with --ranks a..b.",
			c.from, c.dropped, what, c.run.Limit))
	}
	return said
}
