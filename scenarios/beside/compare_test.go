package beside

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// machines take turns, and note whose it was.
type machines struct {
	order  string
	ours   []float64 // latency of each run, in ticks of 10 ns
	native []float64
}

func (m *machines) machine(name string, latencies *[]float64) Machine {
	return func(context.Context) (*scenarios.Outcome, error) {
		m.order += name
		latency := (*latencies)[0]
		*latencies = (*latencies)[1:]
		return &scenarios.Outcome{
			Report: &report.Report{}, Unit: 10, Latencies: []float64{latency},
			Guarantees: []guarantee.Verdict{{Value: guarantee.Held}},
		}, nil
	}
}

// The first turn opens connections and is not counted. Each is first in every second turn.
func TestBothTakeTurns(t *testing.T) {
	m := &machines{ours: []float64{999, 4, 6, 9}, native: []float64{999, 2, 2, 2}}
	r, err := Compare(t.Context(), Options{Turns: 3, Ours: m.machine("o", &m.ours), Native: m.machine("n", &m.native)})
	require.NoError(t, err)
	require.Equal(t, "onnoonno", m.order)
	require.Equal(t, []Turn{{[]float64{40}, []float64{20}}, {[]float64{60}, []float64{20}}, {[]float64{90}, []float64{20}}}, r.Turns)
	require.Equal(t, calibration.Quantity{Value: 3, Low: 2, High: 4.5}, r.Ratio)
	require.EqualValues(t, 60, r.Ours.Median())
	require.EqualValues(t, 20, r.Native.Max())
	require.Equal(t, 3, r.Series.Runs)
	require.Equal(t, guarantee.Held, r.Series.Verdict())
}

// A process that is told nothing takes part in all turns.
func TestOthersTakePart(t *testing.T) {
	runs := 0
	silent := func(context.Context) (*scenarios.Outcome, error) {
		runs++
		return nil, nil
	}
	r, err := Compare(t.Context(), Options{Turns: 4, Ours: silent, Native: silent})
	require.NoError(t, err)
	require.Nil(t, r)
	require.Equal(t, 10, runs)
}

func TestAFailedRunEndsAllTurns(t *testing.T) {
	fails := errors.New("fails")
	for _, first := range []bool{true, false} {
		m := &machines{ours: make([]float64, 9), native: make([]float64, 9)}
		o := Options{Turns: 4, Ours: m.machine("o", &m.ours), Native: m.machine("n", &m.native)}
		failing := func(context.Context) (*scenarios.Outcome, error) { return nil, fails }
		if first {
			o.Ours = failing
		} else {
			o.Native = failing
		}
		_, err := Compare(t.Context(), o)
		require.ErrorIs(t, err, fails)
		require.LessOrEqual(t, len(m.order), 1)
	}
}

// What is wrong in one process ends the turns of all.
func TestProcessesAgreeOnWhatIsWrong(t *testing.T) {
	m := &machines{ours: make([]float64, 9), native: make([]float64, 9)}
	elsewhere := errors.New("elsewhere")
	asked := 0
	_, err := Compare(t.Context(), Options{Turns: 4, Ours: m.machine("o", &m.ours), Native: m.machine("n", &m.native), Agree: func(err error) error {
		require.NoError(t, err)
		if asked++; asked == 3 {
			return elsewhere
		}
		return nil
	}})
	require.ErrorIs(t, err, elsewhere)
	require.Equal(t, "onn", m.order)
}

// What a library gets wrong is not compared with anything.
func TestAWrongLibraryIsNotCompared(t *testing.T) {
	m := &machines{ours: make([]float64, 9)}
	wrong := func(context.Context) (*scenarios.Outcome, error) {
		return &scenarios.Outcome{Report: &report.Report{}, Guarantees: []guarantee.Verdict{{Value: guarantee.Broken, Evidence: "number 0 is 7"}}}, nil
	}
	_, err := Compare(t.Context(), Options{Turns: 4, Ours: m.machine("o", &m.ours), Native: wrong})
	require.ErrorContains(t, err, "the library's own operation: number 0 is 7")
}

// There is no ratio of what nobody has measured.
func TestNoResultNoRatio(t *testing.T) {
	m := &machines{native: []float64{5, 0, 5}}
	unreached := func(context.Context) (*scenarios.Outcome, error) {
		return &scenarios.Outcome{Report: &report.Report{Unreached: []int{1}}, Guarantees: []guarantee.Verdict{{Value: guarantee.Broken}}}, nil
	}
	r, err := Compare(t.Context(), Options{Turns: 2, Ours: unreached, Native: m.machine("n", &m.native)})
	require.NoError(t, err)
	require.Zero(t, r.Ratio)
	require.Zero(t, r.Ours.Len())
	require.Equal(t, guarantee.Broken, r.Series.Verdict())
}

func TestWhatOperationsTook(t *testing.T) {
	rep := &report.Report{Colouring: 7, Exit: 9}
	for _, tt := range []struct {
		outcome scenarios.Outcome
		want    []float64
	}{
		{scenarios.Outcome{Latencies: []float64{3, 4}}, []float64{300, 400}},
		{scenarios.Outcome{}, []float64{700}},
		{scenarios.Outcome{Reduction: true}, []float64{900}},
		{scenarios.Outcome{Reduction: true, Completion: scenarios.Completion{At: 8, Attempts: 1}}, []float64{800}},
		{scenarios.Outcome{Reduction: true, Completion: scenarios.Completion{At: clock.Never, Attempts: 2}}, nil},
	} {
		tt.outcome.Report, tt.outcome.Unit = rep, 100
		require.Equal(t, tt.want, inNanoseconds(&tt.outcome))
	}
	missed := scenarios.Outcome{Report: &report.Report{Colouring: 7, Unreached: []int{3}}, Unit: 100}
	require.Nil(t, inNanoseconds(&missed))
}
