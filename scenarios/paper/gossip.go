package paper

import (
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

// algorithm is the paper's name of what a line runs.
func (p point) algorithm() string {
	if variant, ok := p.settings.Lookup("variant"); ok {
		return strings.ToUpper(variant)
	}
	if _, ok := p.settings.Lookup("tree"); ok {
		return "opt"
	}
	protocol, _, _ := strings.Cut(p.Values[0], " ")
	return strings.ToUpper(protocol)
}

// latency is what the paper calls so: when the last rank has left the algorithm, the last message was
// received, or the root knows that all have it.
func (p point) latency() *stats.Sample {
	switch p.algorithm() {
	case "OCG", "BIG", "opt":
		return &p.Quiescence
	case "BFB":
		return &p.RootExit
	}
	return &p.Exit
}

// gossipEnd is T.
func (p point) gossipEnd() clock.Time { return clock.Time(p.settings.Int("T")) }

// planned is what the paper's equation says about gossip that ends at T.
func (p point) planned() tuning.Plan {
	variant := must(tuning.ParseVariant(p.settings.Text("variant")))
	goal := tuning.Goal{Variant: variant, Delta: p.settings.Decimal("delta")}
	if variant == tuning.FailureProof {
		goal.OnlineFailures = p.settings.Int("f")
	}
	return must(tuning.Sweep(p.settings.LogP(), goal, p.gossipEnd(), p.gossipEnd()))[0]
}

// listed prints numbers such as 23, 24 and 27.
func listed(numbers []clock.Time) string {
	var parts []string
	for _, n := range numbers {
		parts = append(parts, n.String())
	}
	return text.List(parts)
}
