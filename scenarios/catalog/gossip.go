package catalog

import (
	"errors"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/gossip"
	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// gossipVariants are the names of Corrected Gossip's algorithms.
var gossipVariants = line.Choices[tuning.Variant]{
	{"ccg", tuning.Checked},
	{"gos", tuning.Plain},
	{"ocg", tuning.Opportunistic},
	{"fcg", tuning.FailureProof},
}

// gossipStarts says whether correction starts at T itself, or L+o later, when gossip has come in.
var gossipStarts = line.Choices[bool]{
	{"drained", false},
	{"sharp", true},
}

var gossipProtocol = scenarios.Protocol{
	Name:    "gossip",
	Summary: "ranks send to others at random, then neighbours correct",
	Keys: []line.Key{
		gossipVariants.Key("variant", "how to correct: checked, not at all, a little, or failure-proof"),
		line.AutoTimeKey("T", 0, maxGossip, "ticks that ranks gossip; auto: see mangrove tune").Trying(line.Numbers(0, 40)),
		line.AutoTimeKey("C", 0, maxGossip, "ocg: ticks that correction takes").Trying(correctionTimes).Fitting(checkRounds),
		line.NumberKey("f", 1, 0, clock.MaxRanks, "fcg: failures tolerated meanwhile"),
		gossipStarts.Key("start", "when to correct: once gossip has come in, or at T").Trying(startsTried).Fitting(checkSharp),
		line.NumberKey("rounds", 0, 0, clock.MaxRanks, "gossip for so many rounds, not for a time").Trying(line.Numbers(0, 8)),
		partnersKey,
		deltaKey,
		line.NumberKey("failures", 0, 0, clock.MaxRanks, "auto: ranks expected to be down").Trying(nil),
		rootKey,
	},
	Idle:  gossipIdle,
	Steps: []string{gossip.StepColoured, gossip.StepCorrection},
	Fuzz:  scenarios.Fuzz{Common: []string{"receive", "seed"}},
	Build: buildGossip,
}

// correctionTimes are some from the shortest that a line may ask for.
func correctionTimes(s line.Settings) []string {
	shortest := s.Int("L") + s.Int("o")
	return line.Numbers(shortest, shortest+15)(s)
}

// startsTried are those that go with the variant.
func startsTried(s line.Settings) []string {
	if isVariant(s, tuning.FailureProof) {
		return []string{gossipStarts[0].Name}
	}
	return gossipStarts.Names()
}

// maxGossip is for how long ranks may gossip, and correct.
const maxGossip = 1 << 59

// deltaKey is the risk that a tuned gossip may take.
var deltaKey = line.ChanceKey("delta", "6.93e-07", "auto: risk that a gap is longer than planned for")

func buildGossip(s line.Settings) (scenarios.Experiment, error) {
	plan, err := planGossip(s)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	c, err := gossipCorrection(s, plan.Corrections)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	o := gossip.Options{Root: s.Int("root"), Correction: c, Until: plan.GossipEnd, Rounds: s.Int("rounds"), Partners: partnersOf(s), Sharp: isSharp(s)}
	if o.Rounds > 0 {
		o.Until = 0
	}
	g, err := gossip.New(s.LogP(), o)
	if err != nil {
		return scenarios.Experiment{}, err
	}
	e := spreading(g.Program(mailbox.Message{}), o.Root, gossipTiming(s), gossipPromises(s, plan))
	e.Memory = memoryOfLists(s, isVariant(s, tuning.FailureProof))
	e.Measures.Details = func(*report.Report) []scenarios.Detail { return gossipDetails(s, plan) }
	return e, nil
}

// gossipTiming is what a gossip takes for granted. Rounds are counted, whenever messages come.
func gossipTiming(s line.Settings) scenarios.Timing {
	switch {
	case isSharp(s):
		return onAnyNetwork // T is the same instant for all
	case !inRounds(s):
		return scenarios.Timing{Assumes: scenarios.SameLatency, Because: "ranks know T from how long the message to them was under way"}
	case isVariant(s, tuning.FailureProof):
		return withinLatency("variant=fcg gives up waiting after a while")
	}
	return untimed
}

// planGossip returns T and the number of correction messages, tuned as far as the line leaves
// them open.
func planGossip(s line.Settings) (plan tuning.Plan, err error) {
	variant, machine := gossipVariants.Of(s, "variant"), s.LogP()
	needed := isAuto(s, "T") && !inRounds(s) || isAuto(s, "C") && variant == tuning.Opportunistic
	if needed && machine.Ranks > 1 {
		if plan, err = tunedFor(s, machine, goalOf(s, variant, s.Decimal("delta"), usualMargin)); err != nil {
			return plan, err
		}
	}
	plan.GossipEnd = line.AutoNumber(s, "T", plan.GossipEnd)
	if variant == tuning.Opportunistic && !isAuto(s, "C") {
		plan.Corrections, err = correctionMessages(machine, s.Ticks("C"))
	}
	return plan, err
}

// isSharp reports whether correction starts at T itself. With rounds there is no T, and plain gossip
// does not correct.
func isSharp(s line.Settings) bool {
	return gossipStarts.Of(s, "start") && !inRounds(s) && !isVariant(s, tuning.Plain)
}

// checkRounds says why a correction after rounds cannot be tuned.
func checkRounds(s line.Settings) error {
	if isVariant(s, tuning.Opportunistic) && isAuto(s, "C") && inRounds(s) {
		return fmt.Errorf("rounds=%s: there is no tuning for rounds, want a number for C", s.Text("rounds"))
	}
	return nil
}

// checkSharp says why correction cannot start at T itself.
func checkSharp(s line.Settings) error {
	if !isSharp(s) {
		return nil
	}
	switch {
	case isVariant(s, tuning.FailureProof):
		return errors.New("start=sharp: with variant=fcg ranks that gossip reaches after T would leave before they know f+1 others, want start=drained")
	case isAuto(s, "T"):
		return errors.New("start=sharp: T=auto is tuned for start=drained, want a number for T")
	case isVariant(s, tuning.Opportunistic) && isAuto(s, "C"):
		return errors.New("start=sharp: C=auto is tuned for start=drained, want a number for C")
	}
	return nil
}

func isAuto(s line.Settings, key string) bool { return s.Text(key) == "auto" }

// tunedFor tunes what the line leaves open: everything, or the correction that goes with T.
func tunedFor(s line.Settings, machine clock.LogP, goal tuning.Goal) (tuning.Plan, error) {
	if isAuto(s, "T") {
		plan, err := tuning.Tune(machine, goal)
		if err != nil {
			return plan, fmt.Errorf("cannot tune T=auto: %w", err)
		}
		return plan, nil
	}
	end := s.Ticks("T")
	plans, err := tuning.Sweep(machine, goal, end, end)
	if err != nil {
		return tuning.Plan{}, fmt.Errorf("cannot tune C=auto: %w", err)
	}
	return plans[0], nil
}

// correctionMessages is how many messages a rank sends in a correction that takes so long.
func correctionMessages(machine clock.LogP, took clock.Time) (int, error) {
	spacing := machine.Costs().Spacing
	least := max(0, machine.Delivery()-spacing)
	if took < least {
		return 0, fmt.Errorf("correction time C=%d, want auto or %d (2o+L less a message's time) or more", took, least)
	}
	return int(min(clock.Time(clock.MaxRanks), (took-machine.Delivery()+spacing)/spacing)), nil
}

// gossipCorrection is the correction of a variant. All of them begin on the right.
func gossipCorrection(s line.Settings, messages int) (correction.Correction, error) {
	switch gossipVariants.Of(s, "variant") {
	case tuning.Opportunistic:
		return &correction.Opportunistic{Messages: messages}, nil
	case tuning.Checked:
		return correction.Checked{RightFirst: true}, nil
	case tuning.FailureProof:
		c, err := correction.NewFailureProof(s.LogP(), s.Int("f"))
		if err != nil {
			return nil, err
		}
		c.RightFirst = true
		return c, nil
	}
	return correction.None{}, nil
}

// gossipDetails say what the line has left open.
func gossipDetails(s line.Settings, plan tuning.Plan) []scenarios.Detail {
	length := fmt.Sprintf("until T=%d", plan.GossipEnd)
	if inRounds(s) {
		length = s.Text("rounds") + " rounds"
	}
	details := []scenarios.Detail{{Name: "gossip", Text: length}}
	if isVariant(s, tuning.Opportunistic) {
		details = append(details, scenarios.Detail{Name: "correction", Text: fmt.Sprintf("%d messages each", plan.Corrections)})
	}
	return details
}

// gossipIdle are the keys that have no effect.
var gossipIdle = []line.Idle{
	{Key: "T", Because: "rounds", If: inRounds},
	{Key: "start", Because: "rounds", If: func(s line.Settings) bool { return inRounds(s) && !isVariant(s, tuning.Plain) }},
	{Key: "start", Because: "variant", If: func(s line.Settings) bool { return isVariant(s, tuning.Plain) }},
	{Key: "C", Because: "variant", If: func(s line.Settings) bool { return !isVariant(s, tuning.Opportunistic) }},
	{Key: "f", Because: "variant", If: func(s line.Settings) bool { return !isVariant(s, tuning.FailureProof) }},
	{Key: "delta", Because: "rounds", If: inRounds},
	{Key: "delta", Because: "T", If: func(s line.Settings) bool { return !inRounds(s) && !isTuned(s) }},
	{Key: "failures", Because: "rounds", If: inRounds},
	{Key: "failures", Because: "T", If: func(s line.Settings) bool { return !inRounds(s) && !isTuned(s) }},
}

func inRounds(s line.Settings) bool { return s.Int("rounds") > 0 }

func isVariant(s line.Settings, v tuning.Variant) bool { return gossipVariants.Of(s, "variant") == v }

// isTuned reports whether something of a gossip that lasts for a time is tuned.
func isTuned(s line.Settings) bool {
	return isAuto(s, "T") || isVariant(s, tuning.Opportunistic) && isAuto(s, "C")
}
