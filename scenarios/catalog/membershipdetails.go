package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// membershipDetails are the results of a membership service: the views, how long it took to
// agree on the last one, and what the models of the thesis say about that.
type membershipDetails struct {
	scenarios.State // the records of the service
	service         *membership.Service
	settings        line.Settings
}

// Unwrap is what it keeps of ranks.
func (m membershipDetails) Unwrap() scenarios.State { return m.State }

func (m membershipDetails) all(rep *report.Report) []scenarios.Detail {
	details, changes := m.views(rep), m.changes()
	unheard := ""
	if rep.Processes && len(rep.Failed)+len(rep.Rejoined) > 0 {
		unheard = "; those that failed ranks have led are not known"
	}
	if changes.root < 0 {
		return append(details, scenarios.Detail{Name: "T_s", Text: "no view change was completed" + unheard})
	}
	stabilization, unit := changes.stabilization(m), m.settings.Unit()
	if rep.Processes { // which do not record what a message has waited for, and whose messages may be faster than the model's
		stabilization.Known = false
	}
	details = append(details, scenarios.Detail{Name: "changes", Text: changes.text() + unheard}, scenarios.Detail{Name: "T_s", Text: changes.time(unit, stabilization.Height), Ticks: stabilization.Measured})
	return append(details, stabilization.details(unit)...)
}

// views lists the views that live ranks hold, those of most ranks first.
func (m membershipDetails) views(rep *report.Report) (details []scenarios.Detail) {
	holders := make(map[membership.Changes]int)
	outside := 0
	for rank := range rep.Live() {
		switch r := &m.service.Records()[rank]; {
		case r.Member:
			holders[r.View]++
		case !r.Aborted:
			outside++
		}
	}
	views := slices.SortedFunc(maps.Keys(holders), func(a, b membership.Changes) int {
		return cmp.Or(cmp.Compare(holders[b], holders[a]), cmp.Compare(a, b))
	})
	const most = 8
	for _, changes := range views[:min(most, len(views))] {
		v := membership.View{Group: m.service.Group(), Changes: changes}
		details = append(details, scenarios.Detail{Name: "view", Text: fmt.Sprintf("%s, root %d, held by %s", shortened(v), v.Root(), text.Count(holders[changes], "rank"))})
	}
	if more := len(views) - most; more > 0 {
		details = append(details, scenarios.Detail{Name: "view", Text: fmt.Sprintf("and %d others", more)})
	}
	if outside > 0 {
		details = append(details, scenarios.Detail{Name: "outside", Text: text.Count(outside, "live rank") + " without a view"})
	}
	return append(details, m.aborted()...)
}

// aborted lists who has found itself in a minority, and when.
func (m membershipDetails) aborted() []scenarios.Detail {
	at := make(map[clock.Time][]int)
	for rank, r := range m.service.Records() {
		if r.Aborted {
			end := r.Stays[len(r.Stays)-1].To
			at[end] = append(at[end], rank)
		}
	}
	const most = 16
	instants := slices.Sorted(maps.Keys(at))
	var list []string
	for _, end := range instants[:min(most, len(instants))] {
		list = append(list, guarantee.ListRanks(at[end])+" at "+m.settings.Unit().Show(end))
	}
	if len(list) == 0 {
		return nil
	}
	if more := len(instants) - most; more > 0 {
		list = append(list, fmt.Sprintf("others until %s", m.settings.Unit().Show(instants[len(instants)-1])))
	}
	return []scenarios.Detail{{Name: "aborted", Text: strings.Join(list, ", ")}}
}

// viewChanges are those that were led to the end.
type viewChanges struct {
	all, stable int            // all members had the view then
	last        membership.Led // of those
	root        int            // who has led it; -1 if there is none
}

func (m membershipDetails) changes() viewChanges {
	c := viewChanges{root: -1}
	for rank := range m.service.Records() {
		for _, s := range m.service.Records()[rank].Led {
			c.all++
			if !s.Stable {
				continue
			}
			c.stable++
			if c.root < 0 || s.At > c.last.At {
				c.last, c.root = s, rank
			}
		}
	}
	return c
}

func (c *viewChanges) text() string {
	return fmt.Sprintf("%s led to the end, %d of them stable", text.Count(c.all, "view change"), c.stable)
}

func (c *viewChanges) time(u line.Unit, height int) string {
	return fmt.Sprintf("%s, the last from %s to %s, led by rank %d, a tree of %s", u.Span(c.last.At-c.last.Began), u.Show(c.last.Began), u.Show(c.last.At), c.root, text.Count(height, "level"))
}
