package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// usualMargin is by how many messages ranks gossip longer than is best: its authors added one in
// all their experiments, since their equations are approximations.
const usualMargin = 1

// GossipTuning is how to run Corrected Gossip on a machine, in all variants.
type GossipTuning struct {
	Machine  clock.LogP `json:"machine"`
	Failures int        `json:"failures"` // ranks that are down
	Delta    float64    `json:"delta"`
	// OnlineFailures is what fcg stands.
	OnlineFailures int           `json:"f"`
	Plans          []tuning.Plan `json:"plans"`
	// Notes say which variants there is no plan for, and why.
	Notes []string `json:"notes"`
}

// LineOf is the line that runs a plan, on the machine that it is made for.
func (t *GossipTuning) LineOf(p tuning.Plan) string {
	words := fmt.Sprintf("gossip variant=%v P=%d L=%d o=%d T=%d", p.Variant, t.Machine.Ranks, t.Machine.Latency, t.Machine.Overhead, p.GossipEnd)
	if t.Machine.Gap > 0 {
		words += fmt.Sprintf(" g=%d", t.Machine.Gap)
	}
	if p.Variant == tuning.Opportunistic {
		words += fmt.Sprintf(" C=%d", p.CorrectionTime)
	}
	if p.Variant == tuning.FailureProof {
		words += fmt.Sprintf(" f=%d", t.OnlineFailures)
	}
	if t.Failures > 0 {
		words += fmt.Sprintf(" faults=crash:~%d", t.Failures)
	}
	return words + " receive=many"
}

// TuneKeys are the keys of the words that TuneGossip reads.
func TuneKeys() line.Keys {
	const maxCost = uint64(clock.MaxCost)
	variants := line.Choices[string]{{"all", ""}}
	for _, v := range tuning.Variants() {
		variants = append(variants, line.Choices[string]{{v.String(), v.String()}}...)
	}
	ranks := line.NumberKey("N", 4096, 2, clock.MaxRanks, "number of ranks")
	ranks.Alias = "P"
	return line.Keys{
		ranks,
		line.NumberKey("L", 2, 1, maxCost, "network latency, in ticks"),
		line.NumberKey("o", 1, 1, maxCost, "overhead of a message, in ticks"),
		line.NumberKey("g", 0, 0, maxCost, "gap between messages, in ticks"),
		line.NumberKey("failures", 0, 0, clock.MaxRanks-1, "ranks that are down, below N"),
		variants.Key("variant", "which to tune"),
		line.NumberKey("f", 1, 0, tuning.MaxOnlineFailures, "fcg: failures tolerated meanwhile"),
		deltaKey,
		line.ChanceKey("psi", "0.5", "with runs: risk that any of them misses a rank"),
		line.NumberKey("runs", 0, 0, 1<<62, "take delta from psi and so many runs; 0: delta counts"),
		line.NumberKey("margin", usualMargin, 0, tuning.MaxExtra, "messages that ranks gossip longer than is best"),
	}
}

// TuneGossip reads words such as N=4096 L=2 failures=3 and returns the best plans. The error is
// a [line.InputError] that lists all problems.
func TuneGossip(words []string) (GossipTuning, error) {
	s, err := readTuning(words)
	if err != nil {
		return GossipTuning{}, err
	}
	t := GossipTuning{Machine: tunedMachine(s), Failures: s.Int("failures"), Delta: tunedDelta(s), OnlineFailures: s.Int("f"), Notes: []string{}}
	for _, v := range tuning.Variants() {
		if only := s.Text("variant"); only != "all" && only != v.String() {
			continue
		}
		plan, err := tuning.Tune(t.Machine, goalOf(s, v, t.Delta, s.Int("margin")))
		switch {
		case err == nil:
			t.Plans = append(t.Plans, plan)
		case v == tuning.FailureProof && len(t.Plans) > 0: // it needs more ranks than the others
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s", v, problems.Of(err)))
		default:
			return GossipTuning{}, line.Refuse(fmt.Errorf("%s: %s", v, problems.Of(err)))
		}
	}
	return t, nil
}

// goalOf is what a line with the keys f and failures asks of a variant. Plain gossip goes on
// until its risk is small enough, and needs no margin.
func goalOf(s line.Settings, v tuning.Variant, delta float64, margin int) tuning.Goal {
	goal := tuning.Goal{Variant: v, Failures: s.Int("failures"), Delta: delta}
	if v == tuning.FailureProof {
		goal.OnlineFailures = s.Int("f")
	}
	if v != tuning.Plain {
		goal.ExtraGossip = margin
	}
	return goal
}

// readTuning reads the words.
func readTuning(words []string) (line.Settings, error) {
	read, wrong := line.ReadKeys("tune gossip", TuneKeys(), line.Fields(words))
	s := read.Settings()
	if s.Typed("delta") && s.Text("runs") != "0" {
		wrong.Add("delta=%s and runs=%s, want one of the two", s.Text("delta"), s.Text("runs"))
	}
	return s, line.Refuse(wrong...)
}

func tunedMachine(s line.Settings) clock.LogP {
	ticks := func(key string) clock.Time { return clock.Time(s.Number(key)) }
	return clock.LogP{Ranks: s.Int("N"), Latency: ticks("L"), Overhead: ticks("o"), Gap: ticks("g")}
}

// tunedDelta is the risk of one run.
func tunedDelta(s line.Settings) float64 {
	runs := s.Int("runs")
	if runs == 0 {
		return s.Decimal("delta")
	}
	delta, err := tuning.PerRun(s.Decimal("psi"), runs)
	if err != nil {
		panic(fmt.Sprintf("catalog: psi=%s and runs=%d have passed their checks: %v", s.Text("psi"), runs, err))
	}
	return delta
}
