package scenarios

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
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

// TuneKeys are the keys of the words that TuneGossip reads.
func TuneKeys() []Key {
	const maxCost = uint64(clock.MaxCost)
	variants := Choices[string]{{"all", ""}}
	for _, v := range tuning.Variants() {
		variants = append(variants, Choices[string]{{v.String(), v.String()}}...)
	}
	ranks := NumberKey("N", 4096, 2, tuning.MaxRanks, "number of ranks")
	ranks.Alias = "P"
	return []Key{
		ranks,
		NumberKey("L", 2, 1, maxCost, "network latency, in ticks"),
		NumberKey("o", 1, 1, maxCost, "overhead of a message, in ticks"),
		NumberKey("g", 0, 0, maxCost, "gap between messages, in ticks"),
		NumberKey("failures", 0, 0, tuning.MaxRanks-1, "ranks that are down, below N"),
		variants.Key("variant", "which to tune"),
		NumberKey("f", 1, 0, tuning.MaxOnlineFailures, "fcg: failures tolerated meanwhile"),
		deltaKey,
		chanceKey("psi", "0.5", "with runs: risk that any of them misses a rank"),
		NumberKey("runs", 0, 0, 1<<62, "take delta from psi and so many runs; 0: delta counts"),
		NumberKey("margin", usualMargin, 0, tuning.MaxExtra, "messages that ranks gossip longer than is best"),
	}
}

// TuneGossip reads words such as N=4096 L=2 failures=3 and returns the best plans. The error is
// an [InputError] that lists all problems.
func TuneGossip(words []string) (GossipTuning, error) {
	s, err := readTuning(words)
	if err != nil {
		return GossipTuning{}, err
	}
	t := GossipTuning{Machine: s.tunedMachine(), Failures: s.Int("failures"), OnlineFailures: s.Int("f"), Notes: []string{}}
	if t.Delta, err = s.tunedDelta(); err != nil {
		return GossipTuning{}, &InputError{[]string{err.Error()}}
	}
	for _, v := range tuning.Variants() {
		if only := s.Text("variant"); only != "all" && only != v.String() {
			continue
		}
		plan, err := tuning.Tune(t.Machine, goalOf(s, v, t.Delta, s.Int("margin")))
		switch {
		case err == nil:
			t.Plans = append(t.Plans, plan)
		case v == tuning.FailureProof && len(t.Plans) > 0: // it needs more ranks than the others
			t.Notes = append(t.Notes, v.String()+": "+strings.TrimPrefix(err.Error(), "tuning: "))
		default:
			return GossipTuning{}, &InputError{[]string{v.String() + ": " + strings.TrimPrefix(err.Error(), "tuning: ")}}
		}
	}
	return t, nil
}

// goalOf is what a line with the keys f and failures asks of a variant. Plain gossip goes on
// until its risk is small enough, and needs no margin.
func goalOf(s Settings, v tuning.Variant, delta float64, margin int) tuning.Goal {
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
func readTuning(words []string) (Settings, error) {
	words = strings.Fields(strings.Join(words, " "))
	p := newLineParser(words)
	p.known, p.keys = true, TuneKeys()
	p.run.protocol.Name = "tune gossip"
	p.run.settings = Settings{values: defaults(p.keys), typed: p.good}
	for _, word := range words {
		p.word(word)
	}
	if p.good["delta"] && p.run.settings.values["runs"] != "0" {
		p.wrong.add("delta=%s and runs=%s, want one of the two", p.run.settings.values["delta"], p.run.settings.values["runs"])
	}
	return p.run.settings, p.wrong.err()
}

func (s Settings) tunedMachine() clock.LogP {
	ticks := func(key string) clock.Time { return clock.Time(s.Number(key)) }
	return clock.LogP{Ranks: s.Int("N"), Latency: ticks("L"), Overhead: ticks("o"), Gap: ticks("g")}
}

// tunedDelta is the risk of one run.
func (s Settings) tunedDelta() (float64, error) {
	if runs := s.Int("runs"); runs > 0 {
		return tuning.PerRun(s.Chance("psi"), runs)
	}
	return s.Chance("delta"), nil
}

// chanceKey returns a key whose values are above 0 and below 1.
func chanceKey(name, usual, help string) Key {
	return Key{
		Name: name, Default: usual, Values: "above 0, below 1", Help: help,
		Check: func(value string) error {
			if chance, err := strconv.ParseFloat(value, 64); err != nil || !(chance > 0 && chance < 1) {
				return errors.New("want a number above 0 and below 1")
			}
			return nil
		},
	}
}

// Chance returns the value of a chanceKey.
func (s Settings) Chance(key string) float64 {
	chance, err := strconv.ParseFloat(s.Text(key), 64)
	if err != nil {
		panic(fmt.Sprintf("scenarios: %s=%s has passed its check and is no number", key, s.Text(key)))
	}
	return chance
}
