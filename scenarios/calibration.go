package scenarios

import (
	"fmt"
	"strconv"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/report"
)

var calibrationProtocol = Protocol{
	Name:    "calibration",
	Summary: "ranks 0 and 1 measure L, o, g and G of their machine",
	Keys:    calibrationKeys(calibration.Usual()),
	Build:   buildCalibration,
}

func calibrationKeys(usual calibration.Options) []Key {
	largest := usual.Sizes[len(usual.Sizes)-1]
	return []Key{
		NumberKey("rounds", uint64(usual.Rounds), 1, calibration.MaxCount, "round trips of a small message"),
		NumberKey("warmup", uint64(usual.Warmup), 0, calibration.MaxCount, "round trips before, which are not timed"),
		TimeKey("pause", 0, 0, uint64(clock.MaxCost), "ticks to wait before each timed one"),
		NumberKey("burst", uint64(usual.Burst), 2, calibration.MaxCount, "messages sent back to back"),
		NumberKey("bursts", uint64(usual.Bursts), 1, calibration.MaxCount, "how often"),
		NumberKey("largest", uint64(largest), 2, calibration.MaxBytes, "bytes of the largest payload"),
		NumberKey("trips", uint64(usual.Trips), 1, calibration.MaxCount, "round trips of each of nine sizes up to it"),
		NumberKey("crowd", uint64(usual.Crowd), 0, calibration.MaxCount, "times that all others are asked at once, at the end"),
	}
}

func buildCalibration(s Settings) (Experiment, error) {
	machine := s.LogP()
	if machine.Ranks < 2 {
		return Experiment{}, fmt.Errorf("calibration: P=%d, want 2 or more: one rank asks and one answers", machine.Ranks)
	}
	c, err := calibration.New(calibration.Options{
		Warmup: s.Int("warmup"), Rounds: s.Int("rounds"), Pause: clock.Time(s.Number("pause")),
		Burst: s.Int("burst"), Bursts: s.Int("bursts"),
		Sizes: calibration.SizesUpTo(s.Int("largest")), Trips: s.Int("trips"), Crowd: s.Int("crowd"),
	})
	if err != nil {
		return Experiment{}, err
	}
	m := &measured{calibration: c, unit: s.Unit(), crowd: s.Int("crowd") > 0 && machine.Ranks > 3}
	m.State = ofRoot(machine.Ranks, 0, &m.samples, c.Check)
	return Experiment{
		Machine:   machine,
		Program:   c.Program(&m.samples),
		Roots:     []int{0},
		Timing:    Timing{Assumes: NoLatency},
		Checks:    []guarantee.Guarantee{m.promise(), guarantee.When(m.measurersLive, guarantee.NoDeadlock{}), guarantee.Integrity{}},
		Reduction: true,
		Prepare:   func() { m.samples = calibration.Samples{} },
		Figures:   m.figures,
		State:     m,
	}, nil
}

// Calibrated returns what a run of the protocol calibration has found out about its machine, after
// [Run.Execute], or where [Run.Load] has put it; ok is false if that is not enough for an estimate,
// or if the line is about something else.
func Calibrated(r *Run) (e calibration.Estimate, ok bool) {
	m, ok := r.experiment.State.(*measured)
	if !ok {
		return e, false
	}
	return m.samples.Estimate()
}

// measured is what rank 0 has measured.
type measured struct {
	State       // of the samples
	calibration *calibration.Calibration
	samples     calibration.Samples
	unit        Unit
	crowd       bool // ranks other than 0 and 1 have something to do
}

// promise holds if everything was measured. That needs two ranks.
func (m *measured) promise() guarantee.Guarantee {
	return guarantee.When(m.measurersLive, guarantee.Func("measurements are complete", false, func(guarantee.Run) (held bool, evidence string) {
		if missing := m.calibration.Missing(&m.samples); missing != "" {
			return false, "no more than " + missing
		}
		return true, fmt.Sprintf("%d round trips, %d bursts, payloads of %d sizes", len(m.samples.RoundTrips), len(m.samples.Bursts), len(m.samples.Sizes))
	}))
}

// measurersLive is met if no rank has failed that others may wait for: the two that measure, and
// those that make a crowd.
func (m *measured) measurersLive(run guarantee.Run) (met bool, whyNot string) {
	for _, failure := range run.Report.Failed {
		if failure.Rank < 2 || m.crowd {
			return false, failure.String()
		}
	}
	return true, ""
}

// figures are the parameters, and what a round trip and its parts took.
func (m *measured) figures(*report.Report) []Figure {
	e, ok := m.samples.Estimate()
	if !ok {
		return []Figure{{"estimate", "none, too little was measured"}}
	}
	figures := []Figure{
		{"latency L", m.span(e.Latency)},
		{"overhead o", m.span(e.Overhead)},
		{"gap g", m.span(e.Gap)},
		{"per byte G", m.span(e.PerByte)},
		{"round trip", fmt.Sprintf("%s, half of them from %s to %s", m.span(e.RoundTrip.Median), decimals(e.RoundTrip.Lower), decimals(e.RoundTrip.Upper))},
		{"send", m.span(e.Send)},
		{"receive", m.span(e.Receive) + " once the message is there"},
	}
	if e.Service > 0 {
		figures = append(figures, Figure{"service", m.span(e.Service) + " of what all ranks share, for each message"})
	}
	return figures
}

// span names a length of time that may lie between two ticks.
func (m *measured) span(ticks float64) string {
	return decimals(ticks) + " " + text.Plural(ticks, "tick") + m.unit.beside(ticks)
}

// decimals prints a number with three of them at most, as often less.
func decimals(n float64) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(n, 'f', 3, 64), 64)
	if err != nil {
		panic(fmt.Sprintf("scenarios: cannot round %v: %v", n, err))
	}
	return strconv.FormatFloat(rounded+0, 'f', -1, 64) // no -0
}
