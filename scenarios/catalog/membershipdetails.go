package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// membershipDetails are the results of a membership service: the views, how long it took to
// agree on the last one, and what the models of the thesis say about that.
type membershipDetails struct {
	service  *membership.Service
	settings line.Settings
}

func (m membershipDetails) all(rep *report.Report) []scenarios.Detail {
	details := m.views(rep)
	last, root := m.lastStable()
	if root < 0 {
		return append(details, scenarios.Detail{Name: "T_s", Text: "no view change was completed"})
	}
	stabilization := newStabilization(m.service, root, last, m.settings)
	return slices.Concat(details, []scenarios.Detail{{Name: "changes", Text: m.changes()}, {Name: "T_s", Text: m.time(last, root, stabilization.Height)}}, stabilization.details(m.settings.Unit()))
}

// views lists the views that live ranks hold, those of most ranks first.
func (m membershipDetails) views(rep *report.Report) (details []scenarios.Detail) {
	holders := make(map[membership.Changes]int)
	outside := 0
	for rank := range m.service.Records() {
		switch r := &m.service.Records()[rank]; {
		case rep.Ranks[rank].Outcome.Failed():
		case r.Member:
			holders[r.View]++
		default:
			outside++
		}
	}
	var views []membership.Changes
	for v := range holders {
		views = append(views, v)
	}
	slices.SortFunc(views, func(a, b membership.Changes) int {
		return cmp.Or(cmp.Compare(holders[b], holders[a]), cmp.Compare(a, b))
	})
	const most = 8
	for _, changes := range views[:min(most, len(views))] {
		v := membership.View{Group: m.service.Group(), Changes: changes}
		details = append(details, scenarios.Detail{Name: "view", Text: fmt.Sprintf("%s, root %d, held by %s", shortened(v.String()), v.Root(), text.Count(holders[changes], "rank"))})
	}
	if more := len(views) - most; more > 0 {
		details = append(details, scenarios.Detail{Name: "view", Text: fmt.Sprintf("and %d others", more)})
	}
	if outside > 0 {
		details = append(details, scenarios.Detail{Name: "outside", Text: text.Count(outside, "live rank") + " without a view"})
	}
	return details
}

// shortened leaves out the middle of a long list of members.
func shortened(view string) string {
	list, rest, _ := strings.Cut(view, " ")
	if ranges := strings.Split(list, "+"); len(ranges) > 8 {
		list = strings.Join(ranges[:4], "+") + "+...+" + strings.Join(ranges[len(ranges)-4:], "+")
	}
	return list + " " + rest
}

// lastStable is the view change that was completed last, and who has led it; -1 if there is none.
func (m membershipDetails) lastStable() (last membership.Stable, root int) {
	root = -1
	for rank := range m.service.Records() {
		for _, s := range m.service.Records()[rank].Stable {
			if s.Clean && (root < 0 || s.At > last.At) {
				last, root = s, rank
			}
		}
	}
	return last, root
}

// changes says how many view changes there were.
func (m membershipDetails) changes() string {
	all, clean := 0, 0
	for rank := range m.service.Records() {
		for _, s := range m.service.Records()[rank].Stable {
			if all++; s.Clean {
				clean++
			}
		}
	}
	return fmt.Sprintf("%s led to the end, %d of them without news meanwhile", text.Count(all, "view change"), clean)
}

func (m membershipDetails) time(last membership.Stable, root, height int) string {
	u := m.settings.Unit()
	return fmt.Sprintf("%s, the last from %s to %s, led by rank %d, a tree of %s", u.Span(last.At-last.Began), u.Show(last.Began), u.Show(last.At), root, text.Count(height, "level"))
}

// Stabilization is a measured stabilization time, beside what models predict. All but Height are
// in ticks.
type Stabilization struct {
	Height   int        `json:"height"`
	Measured clock.Time `json:"measured"`
	Base     clock.Time `json:"base"`
	// Distance and Contention are those of networks with hops and with a switch; else 0.
	Distance   clock.Time `json:"distance,omitempty"`
	Contention clock.Time `json:"contention,omitempty"`
	// Items is what the time has consisted of, if Known: the root led no other change since.
	Items model.Items `json:"items"`
	Known bool        `json:"known"`
}

// newStabilization looks at a view change that a root has led.
func newStabilization(service *membership.Service, root int, last membership.Stable, s line.Settings) Stabilization {
	view := membership.View{Group: service.Group(), Changes: last.Changes}
	latency, compute := s.Ticks("L"), service.Options().Compute
	x := Stabilization{Height: view.Height(), Measured: last.At - last.Began}
	x.Base = model.Base(latency, compute, x.Height)
	var network clock.Network = clock.Uniform(latency)
	if n := s.Network(); n != nil {
		network = n
	}
	switch n := network.(type) {
	case interface{ Hops(from, to int) int }:
		x.Distance = model.Distance(view, n.Hops, latency, compute)
	case clock.Switch:
		x.Base = model.Base(n.MinLatency(), compute, x.Height)
		x.Contention = contentionOf(n, view.Size(), x.Height, compute)
	}
	items, err := model.Itemise(service.Records(), root, s.LogP(), network)
	x.Items, x.Known = items, err == nil && items.Total() == x.Measured
	return x
}

// contentionOf is the contention model of a switch, whose latency grows with the number of ranks
// that send at once.
func contentionOf(n clock.Switch, ranks, height int, compute clock.Time) clock.Time {
	curve, err := clock.NewCurve([]clock.Point{{Nodes: 1, Latency: n.Burst(1)}, {Nodes: 2, Latency: n.Burst(2)}})
	if err != nil {
		return 0
	}
	return model.Contention(curve, ranks, height, compute)
}

func (x *Stabilization) details(u line.Unit) []scenarios.Detail {
	details := []scenarios.Detail{{Name: "base", Text: x.beside("base", x.Base, u)}}
	if x.Distance > 0 {
		details = append(details, scenarios.Detail{Name: "distance", Text: x.beside("distance", x.Distance, u)})
	}
	if x.Contention > 0 {
		details = append(details, scenarios.Detail{Name: "contention", Text: x.beside("contention", x.Contention, u)})
	}
	if !x.Known {
		return details
	}
	i := &x.Items
	path := "to " + text.Count(i.Levels, "level") + " down and back"
	return append(details,
		scenarios.Detail{Name: "of T_s", Text: fmt.Sprintf("latency %s, computation %s: %s", u.Span(i.Latency), u.Span(i.Compute), path)},
		scenarios.Detail{Name: "of T_s", Text: fmt.Sprintf("overheads %s, serialized sends %s", u.Span(i.Overheads), u.Span(i.Sends))},
		scenarios.Detail{Name: "of T_s", Text: fmt.Sprintf("long messages %s, waiting for ports %s", u.Span(i.Bytes), u.Span(i.Waits))},
	)
}

// beside puts a prediction beside what was measured.
func (x *Stabilization) beside(name string, predicted clock.Time, u line.Unit) string {
	text := fmt.Sprintf("%s by the %s model", u.Span(predicted), name)
	if predicted > 0 {
		text += fmt.Sprintf("; measured / predicted = %.2f", float64(x.Measured)/float64(predicted))
	}
	return text
}
