package tuning

import "github.com/mangrove-emu/mangrove/clock"

// Plan is how to run a broadcast, and what to expect of it.
type Plan struct {
	Variant Variant `json:"variant"`

	GossipEnd       clock.Time `json:"T"`                // T: no gossip message begins at this instant or later
	CorrectionStart clock.Time `json:"correction_start"` // T+L+o
	CorrectionTime  clock.Time `json:"C"`                // C: planned duration of correction, 0 if Plain
	Corrections     int        `json:"corrections"`      // messages that each g-node sends, if Opportunistic; to both sides in turn

	GapBound  int `json:"longest_gap"`  // K-bar, if Opportunistic or Checked
	SpanBound int `json:"longest_span"` // G-bar, if FailureProof

	// Equation is the value of the paper's equation 3, 4 or 5, as printed, which the best T
	// minimizes, or T+L+o if Plain. It is without margins. Equation 5 leaves out the wait of
	// L+o between gossip and correction; the others include it.
	Equation clock.Time `json:"equation"`
	Latency  clock.Time `json:"latency"` // the predicted end, with the wait and with margins

	Nodes float64 `json:"nodes"` // expected number of g-nodes
	// Risk is what the plan leaves of the goal's delta: the expected number of live ranks
	// left out if Plain, else the chance of a longer gap or span than planned for.
	Risk float64 `json:"risk"`

	GossipMessages     float64 `json:"gossip_messages"`     // expected
	CorrectionMessages float64 `json:"correction_messages"` // expected; 0 if Plain, and if FailureProof, which we have no model of
}

// Messages is the expected number of messages in all; ok is false if those of correction are
// not known, and messages counts gossip only.
func (p Plan) Messages() (messages float64, ok bool) {
	return p.GossipMessages + p.CorrectionMessages, p.Variant != FailureProof
}

// planAt plans for gossip that ends at T, without margins. The curve must reach to T+L+o.
func planAt(c *Curve, goal Goal, end clock.Time) Plan {
	p := bound(c.machine, goal, c.After(end))
	p.GossipEnd = end
	p.Equation = end + equationWait(c.machine, goal.Variant) + p.CorrectionTime
	return p.expect(c, goal)
}

// bound plans the correction of what gossip left.
func bound(machine clock.LogP, goal Goal, ring Ring) Plan {
	p := Plan{Variant: goal.Variant}
	switch goal.Variant {
	case Plain:
	case Opportunistic:
		p.GapBound = ring.GapBound(goal.Delta)
		// The g-nodes at either end of a gap, sending to both sides in turn, fill it together: the paper's
		// K-bar o + L + o as a phase.
		p.Corrections = p.GapBound
		p.CorrectionTime = phase(machine, p.Corrections)
	case Checked:
		p.GapBound = ring.GapBound(goal.Delta)
		p.CorrectionTime = phase(machine, 2*p.GapBound) // until each of them has met the other
	case FailureProof:
		p.SpanBound = ring.SpanBound(goal.spanNodes(), goal.Delta)
		p.CorrectionTime = phase(machine, spanMessages(p.SpanBound, goal.OnlineFailures))
	}
	return p
}

// withMargins lets gossip and correction go on longer, but keeps the bounds that the plan was
// made with. The curve must reach to the new T+L+o.
func (p Plan) withMargins(c *Curve, goal Goal) Plan {
	p.GossipEnd += gossipMargin(c.machine, goal)
	if p.Variant == Opportunistic {
		p.Corrections += goal.ExtraCorrection
		p.CorrectionTime = phase(c.machine, p.Corrections)
	}
	return p.expect(c, goal)
}

func gossipMargin(machine clock.LogP, goal Goal) clock.Time {
	return machine.Costs().Spacing.Times(goal.ExtraGossip)
}

// equationWait is what the paper's equation has for the wait between gossip and correction.
func equationWait(machine clock.LogP, v Variant) clock.Time {
	if v == FailureProof {
		return 0
	}
	return correctionStart(machine, 0)
}

// expect fills in what follows from T, the bounds and the duration of correction.
func (p Plan) expect(c *Curve, goal Goal) Plan {
	ring := c.After(p.GossipEnd)
	p.CorrectionStart = correctionStart(c.machine, p.GossipEnd)
	p.Latency = p.CorrectionStart + p.CorrectionTime
	p.Nodes = ring.Nodes()
	p.GossipMessages = c.Messages(p.GossipEnd)
	switch p.Variant {
	case Plain:
		p.Risk = c.Unreached(p.CorrectionStart)
	case Opportunistic:
		p.Risk = ring.GapTail(p.Corrections)
		p.CorrectionMessages = p.Nodes * float64(p.Corrections)
	case Checked:
		p.Risk = ring.GapTail(p.GapBound)
		p.CorrectionMessages = p.Nodes * ring.checkedMessages(c.machine)
	case FailureProof:
		p.Risk = ring.SpanTail(goal.spanNodes(), p.SpanBound)
	}
	return p
}
