package catalog

import (
	"fmt"
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// strategy is what a computation does about failures.
type strategy struct {
	collective collective.Strategy
	restart    bool // plain operations, and all over again after a failure
	respawn    bool // the same on as many ranks as before, when those that have failed are back
}

// againAtFullStrength is what lets ranks come back.
var againAtFullStrength = &scenarios.Setting{Key: "strategy", Value: "respawn"}

// detectorKind is a failure detector, as far as its name says.
type detectorKind struct {
	hangs, wrong bool
	heartbeats   bool
	delays       clock.Time // the usual delay, in messages
	uneven       bool       // some observers know later than others
	spreads      clock.Time // by how much, usually, in messages
}

// What the keys of computations on teams choose from.
var (
	teamStrategies = line.Choices[strategy]{
		{"tolerant", strategy{}},
		{"optimistic", strategy{collective: collective.Optimistic}},
		{"plain", strategy{collective: collective.Plain}},
		{"restart", strategy{restart: true}},
		{"respawn", strategy{respawn: true}},
	}
	detectors = line.Choices[detectorKind]{
		{"perfect", detectorKind{delays: 1}},
		{"delayed", detectorKind{delays: 10}},
		{"heartbeat", detectorKind{hangs: true, heartbeats: true, delays: 10, uneven: true}},
		{"wrong", detectorKind{hangs: true, wrong: true, delays: 10}},
		{"uneven", detectorKind{delays: 1, uneven: true, spreads: 9}},
	}
	backups = line.Choices[collective.Backup]{
		{"none", collective.NoBackup}, {"all", collective.AllBackups}, {"auto", collective.CheaperBackups},
	}
)

// teamKeys are those of all computations on teams.
func teamKeys() []line.Key {
	return slices.Concat([]line.Key{
		// Made-up lines have no ranks that come back, without which nothing comes of respawn.
		teamStrategies.Key("strategy", "what is done about failures").Trying(line.Mostly("tolerant", "tolerant", "optimistic", "plain", "restart")),
		line.TimeKey("restart", 0, 0, uint64(clock.MaxCost), "ticks to begin again, if that is done"),
	}, untried(ulfmKeys()), detectorKeys())
}

// untried are keys that lines are not made up with: what depends on them is tried by lines of ulfm.
func untried(keys []line.Key) []line.Key {
	for i := range keys {
		keys[i] = keys[i].Trying(nil)
	}
	return keys
}

// detectorKeys are those of a failure detector.
func detectorKeys() []line.Key {
	return []line.Key{
		detectors.Key("detector", "what tells of failures; heartbeat: hangs, too; uneven: some sooner than others").Trying(line.Mostly("heartbeat", detectors.Names()...)),
		line.AutoTimeKey("detect", 1, uint64(clock.MaxCost), "ticks until a failure is known, 2o+L or more"),
		line.AutoTimeKey("period", 1, uint64(clock.MaxCost), "ticks between two heartbeats").Trying(line.Words("auto", "3", "50")),
		line.AutoTimeKey("spread", 0, uint64(clock.MaxCost), "ticks that a failure may be known later to some than to others; auto: none, uneven: 9(2o+L)").Trying(line.Words("auto", "auto", "30")),
	}
}

// detection makes a failure detector with the delay of a line.
func detection(s line.Settings, kind detectorKind) (emu.Detection, error) {
	d := emu.Detection{Hangs: kind.hangs, Slow: kind.wrong}
	delivery := s.LogP().Delivery()
	least, sum := delivery, "2o+L"
	if kind.heartbeats {
		d.Period = line.AutoNumber(s, "period", min(clock.MaxCost/4, delivery.Times(4)))
		least, sum = least+d.Period, "period+2o+L"
	}
	d.Delay = line.AutoNumber(s, "detect", min(clock.MaxCost, max(least, delivery*kind.delays)))
	if d.Delay < least {
		return d, fmt.Errorf("detect=%d, want auto or %d (%s) or more", d.Delay, least, sum)
	}
	if kind.uneven {
		most := clock.MaxCost - d.Delay
		d.Spread = line.AutoNumber(s, "spread", min(most, delivery*kind.spreads))
		if d.Spread > most {
			return d, fmt.Errorf("spread=%d, want auto or 0 to %d (%d less detect)", d.Spread, most, clock.MaxCost)
		}
	}
	return d, emu.Config{LogP: s.LogP(), Network: s.Network(), Detection: d}.Validate()
}

// teamSteps are those of every operation.
var teamSteps = []string{collective.StepAgree, collective.StepExchange, collective.StepRepair, collective.StepRepaired}

// The phases of what is computed with several operations are steps, too.
const (
	phaseGather    = "gather"
	phaseBroadcast = "broadcast"
	phaseAllToAll  = "alltoall"
	phaseAllToAllV = "alltoallv"
	phaseReduce    = "reduce"
)

// teamIdle are those that have no effect.
var teamIdle = []line.Idle{
	{Key: "period", Because: "detector", If: func(s line.Settings) bool { return !detectors.Of(s, "detector").heartbeats }},
	{Key: "spread", Because: "detector", If: func(s line.Settings) bool { return !detectors.Of(s, "detector").uneven }},
}

// checkTasks refuses more ranks than a team can have.
func checkTasks(s line.Settings) error {
	if s.Int("P") > collective.MaxTasks {
		return fmt.Errorf("a team has a task for each rank, and no more than %d: P=%d", collective.MaxTasks, s.Int("P"))
	}
	return nil
}
