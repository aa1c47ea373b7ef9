package catalog

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/membership"
	"github.com/mangrove-emu/mangrove/protocols/membership/model"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Stabilization is a measured stabilization time, beside what models predict. All but Height are
// in ticks.
type Stabilization struct {
	Height   int
	Measured clock.Time
	Base     clock.Time
	// Distance and Contention are those of networks with hops and with a switch; else 0.
	Distance   clock.Time
	Contention clock.Time
	// Items is what the time has consisted of, if Known: the root led no other change since.
	Items model.Items
	Known bool
}

// MeasureStabilization runs a line of the membership service and looks at the last view change that
// was completed.
func MeasureStabilization(ctx context.Context, line string) (Stabilization, error) {
	run, err := membershipProtocol.ParseLine(line)
	if err != nil {
		return Stabilization{}, err
	}
	if _, err := run.Execute(ctx, scenarios.Options{}); err != nil {
		return Stabilization{}, err
	}
	m := run.Experiment().State.(membershipDetails)
	changes := m.changes()
	if changes.root < 0 {
		return Stabilization{}, fmt.Errorf("scenarios: %s: no view change was completed", line)
	}
	return changes.stabilization(m), nil
}

// stabilization looks at the last view change, if there is one.
func (c *viewChanges) stabilization(m membershipDetails) Stabilization {
	view := membership.View{Group: m.service.Group(), Changes: c.last.Changes}
	s, compute := m.settings, m.service.Options().Compute
	latency := s.Ticks("L")
	x := Stabilization{Height: view.Height(), Measured: c.last.At - c.last.Began}
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
	items, err := model.Itemise(m.service.Records(), c.root, s.LogP(), network)
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
	details := []scenarios.Detail{x.beside("base", x.Base, u)}
	if x.Distance != 0 {
		details = append(details, x.beside("distance", x.Distance, u))
	}
	if x.Contention != 0 {
		details = append(details, x.beside("contention", x.Contention, u))
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
func (x *Stabilization) beside(name string, predicted clock.Time, u line.Unit) scenarios.Detail {
	text := fmt.Sprintf("%s by the %s model", u.Span(predicted), name)
	if predicted != 0 {
		text += fmt.Sprintf("; measured / predicted = %.2f", float64(x.Measured)/float64(predicted))
	}
	return scenarios.Detail{Name: name, Text: text, Ticks: predicted}
}
