package paper

import (
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
)

const gossipPaper = "Corrected Gossip (Hoefler and others, IPDPS 2017)"

// gossipExperiments are those of Corrected Gossip (Hoefler and others, IPDPS 2017).
var gossipExperiments = []Experiment{
	{Name: "gossip-fig1", Paper: gossipPaper, About: "figure 1: whom gossip reaches over time", Campaigns: []string{"gossip-fig1", "gossip-fig1-tree", "gossip-fig1-gaps", "gossip-fig3"}, evaluate: spreadFigure},
	{Name: "gossip-fig3", Paper: gossipPaper, About: "figure 3: OCG by how long ranks gossip", Campaigns: []string{"gossip-fig3"}, evaluate: opportunisticFigure},
	{Name: "gossip-fig5", Paper: gossipPaper, About: "figure 5: CCG by how long ranks gossip", Campaigns: []string{"gossip-fig5"}, evaluate: checkedFigure},
	{Name: "gossip-fig9", Paper: gossipPaper, About: "figure 9: FCG by how long ranks gossip", Campaigns: []string{"gossip-fig9"}, evaluate: failureProofFigure},
	{Name: "gossip-table", Paper: gossipPaper, About: "table of figure 7: all on 4,096 ranks", Campaigns: []string{"gossip-table", "gossip-table-free"}, evaluate: caseStudyTable},
	{Name: "gossip-fig7a", Paper: gossipPaper, About: "figure 7a: latency by ranks, no failures", Campaigns: []string{"gossip-fig7a", "gossip-fig7a-trees"}, evaluate: scalingFigure},
	{Name: "gossip-fig7b", Paper: gossipPaper, About: "figure 7b: latency by ranks, 1 in 64 down", Campaigns: []string{"gossip-fig7b", "gossip-fig7b-trees", "gossip-fig7a"}, evaluate: faultyScalingFigure},
}

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
func (p point) planned() (tuning.Plan, error) {
	variant, err := tuning.ParseVariant(p.settings.Text("variant"))
	if err != nil {
		return tuning.Plan{}, err
	}
	goal := tuning.Goal{Variant: variant, Delta: p.settings.Decimal("delta")}
	if variant == tuning.FailureProof {
		goal.OnlineFailures = p.settings.Int("f")
	}
	plans, err := tuning.Sweep(p.settings.LogP(), goal, p.gossipEnd(), p.gossipEnd())
	if err != nil {
		return tuning.Plan{}, err
	}
	return plans[0], nil
}

// pointsOf are the points of several campaigns, one after the other.
func pointsOf(all ...Measured) ([]point, error) {
	var points []point
	for _, m := range all {
		more, err := m.points()
		if err != nil {
			return nil, err
		}
		points = append(points, more...)
	}
	return points, nil
}

// yes says whether something is so.
func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// listed prints numbers such as 23, 24 and 27.
func listed(numbers []clock.Time) string {
	var b strings.Builder
	for i, n := range numbers {
		switch {
		case i > 0 && i == len(numbers)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}
