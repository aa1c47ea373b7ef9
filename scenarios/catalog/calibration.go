package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/problems"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var calibrationProtocol = scenarios.Protocol{
	Name:    "calibration",
	Summary: "ranks 0 and 1 measure L, o, g and G of their machine",
	Keys:    calibrationKeys(calibration.Usual()),
	Steps: []string{
		calibration.StepWarmup, calibration.StepBursts, calibration.StepRounds, calibration.StepReceives,
		calibration.StepSizes, calibration.StepCrowd, calibration.StepDone,
	},
	Fuzz:  scenarios.Fuzz{Tries: map[string]line.Tries{"P": line.Numbers(2, 16)}},
	Build: buildCalibration,
}

func calibrationKeys(usual calibration.Options) []line.Key {
	largest := usual.Sizes[len(usual.Sizes)-1]
	return []line.Key{
		line.NumberKey("rounds", uint64(usual.Rounds), 1, calibration.MaxCount, "round trips of a small message, and delays"),
		line.NumberKey("warmup", uint64(usual.Warmup), 0, calibration.MaxCount, "round trips before, which are not timed"),
		line.TimeKey("pause", 0, 0, uint64(clock.MaxCost), "ticks to wait before each timed one"),
		line.NumberKey("burst", uint64(usual.Burst), 2, calibration.MaxCount, "messages sent back to back, at most"),
		line.NumberKey("bursts", uint64(usual.Bursts), 1, calibration.MaxCount, "how often"),
		line.NumberKey("largest", uint64(largest), 2, calibration.MaxBytes, "bytes of the largest payload"),
		line.NumberKey("trips", uint64(usual.Trips), 1, calibration.MaxCount, "round trips of each of nine sizes up to it"),
		line.NumberKey("crowd", uint64(usual.Crowd), 0, calibration.MaxCount, "times that all others are asked at once, at the end"),
	}
}

func buildCalibration(s line.Settings) (scenarios.Experiment, error) {
	machine := s.LogP()
	if machine.Ranks < 2 {
		return scenarios.Experiment{}, problems.New("calibration", "P=%d, want 2 or more: one rank asks and one answers", machine.Ranks)
	}
	c, err := calibration.New(calibration.Options{
		Warmup: s.Int("warmup"), Rounds: s.Int("rounds"), Pause: s.Ticks("pause"),
		Burst: s.Int("burst"), Bursts: s.Int("bursts"),
		Sizes: calibration.SizesUpTo(s.Int("largest")), Trips: s.Int("trips"), Crowd: s.Int("crowd"),
	})
	if err != nil {
		return scenarios.Experiment{}, err
	}
	m := &measured{calibration: c, unit: s.Unit(), crowd: s.Int("crowd") > 0 && machine.Ranks > 3}
	m.State = scenarios.OfRoot(machine.Ranks, 0, &m.samples, c.Check)
	return scenarios.Experiment{
		Program:   c.Program(&m.samples),
		Roots:     []int{0},
		Timing:    onAnyNetwork,
		Promises:  m.promises(),
		Reduction: true,
		State:     m,
		Measures:  scenarios.Measures{Details: m.details},
	}, nil
}

// Calibrated returns what a run of the protocol calibration has found out about its machine, after
// [scenarios.Run.Execute], or where [scenarios.Run.Load] has put it; ok is false if that is not enough for an estimate,
// or if the line is about something else.
func Calibrated(r *scenarios.Run) (e calibration.Estimate, ok bool) {
	m, ok := r.Experiment().State.(*measured)
	if !ok {
		return e, false
	}
	return m.samples.Estimate()
}

// measured is what rank 0 has measured.
type measured struct {
	scenarios.State // of the samples
	calibration     *calibration.Calibration
	samples         calibration.Samples
	unit            line.Unit
	crowd           bool // ranks other than 0 and 1 have something to do
}

// Unwrap is what it keeps of ranks.
func (m *measured) Unwrap() scenarios.State { return m.State }

// promises are that all measurements are made, and nobody waits for ever. Who measures counts answers, as they come: one that arrives twice would be taken for the next.
func (m *measured) promises() []guarantee.Guarantee {
	complete := guarantee.Func("measurements are complete", false, func(guarantee.Run) (held bool, evidence string) {
		if missing := m.calibration.Missing(&m.samples); missing != "" {
			return false, "no more than " + missing
		}
		return true, fmt.Sprintf("%d round trips, %d bursts, payloads of %d sizes", len(m.samples.RoundTrips), len(m.samples.Bursts), len(m.samples.Sizes))
	})
	needs := premises{m.measurersLive(), guarantee.ArrivesOnce}
	return []guarantee.Guarantee{
		guarantee.Promise{Guarantee: complete, Premises: needs},
		guarantee.Promise{Guarantee: guarantee.NoDeadlock{}, Premises: needs},
		guarantee.Integrity{},
	}
}

// measurersLive is met if no rank has failed that others may wait for: the two that measure, and
// those that make a crowd.
func (m *measured) measurersLive() guarantee.Premise {
	says := "ranks 0 and 1 live"
	if m.crowd {
		says = "nobody fails"
	}
	return guarantee.Premise{Says: says, Unmet: func(run guarantee.Run) string {
		for _, failure := range run.Report.Failed {
			if failure.Rank < 2 || m.crowd {
				return failure.String()
			}
		}
		return ""
	}}
}

// details are the parameters, and what a round trip and its parts took.
func (m *measured) details(*report.Report) []scenarios.Detail {
	e, ok := m.samples.Estimate()
	if !ok {
		return []scenarios.Detail{{Name: "estimate", Text: "none, too little was measured"}}
	}
	if e.RoundTrip.Median < 1 { // of processes: on the emulator, a message takes three ticks at least
		return []scenarios.Detail{{Name: "estimate", Text: "none, a round trip takes less than a tick; want shorter ones, such as tick=1ns"}}
	}
	return CalibrationDetails(e, m.unit)
}
