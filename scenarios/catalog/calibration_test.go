package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// A machine that is calibrated, written to a file and read back is the same machine.
func TestACalibratedMachineIsTheSameMachine(t *testing.T) {
	run := mustParse(t, "calibration P=2 L=12us o=2300 g=2500 G=3 tick=1ns")
	_, ok := Calibrated(run)
	require.False(t, ok, "nothing is measured yet")
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	require.Equal(t, guarantee.Held, outcome.Verdict())
	e, ok := Calibrated(run)
	require.True(t, ok)
	require.Equal(t, run.Settings().LogP(), e.LogP(2))

	text, err := line.NewMachineFile(run.Settings().Unit(), e.LogP(2)).Marshal()
	require.NoError(t, err)
	name := writeFile(t, string(text))
	typed := mustExecute(t, "broadcast P=64 L=12us o=2300 g=2500 G=3 tick=1ns", scenarios.Options{})
	filed := mustExecute(t, "broadcast P=64 machine="+name, scenarios.Options{})
	require.Equal(t, typed.Report.Hash, filed.Report.Hash)
}

func TestFiguresOfACalibration(t *testing.T) {
	require.Equal(t, []scenarios.Detail{
		{Name: "latency L", Text: "12000 ticks (12 us)"},
		{Name: "overhead o", Text: "2300 ticks (2.3 us)"},
		{Name: "2o+L", Text: "16600 ticks (16.6 us)"},
		{Name: "gap g", Text: "2500 ticks (2.5 us)"},
		{Name: "per byte G", Text: "1 tick (1 ns)"},
		{Name: "round trip", Text: "33200 ticks (33.2 us), half of them from 33200 to 33200"},
		{Name: "send", Text: "2300 ticks (2.3 us) by itself"},
		{Name: "receive", Text: "0 ticks (0 ns) of a rank that computes"},
		{Name: "intervals", Text: "lowest to highest of 6 stretches of the run; 1 in 32 such intervals misses"},
	}, mustExecute(t, "calibration P=4 L=12us o=2300 g=2500 G=1 tick=1ns", scenarios.Options{}).Details)
	require.Equal(t, []scenarios.Detail{{Name: "estimate", Text: "none, too little was measured"}},
		mustExecute(t, "calibration P=4 faults=crash:1", scenarios.Options{}).Details)
	for ticks, text := range map[float64]string{0: "0", 12: "12", 1.5: "1.5", 0.3456: "0.346", -0.0001: "0", -2.25: "-2.25", 12345678.9: "12345678.9"} {
		require.Equal(t, text, line.Decimals(ticks))
	}
}

// Processes may be faster than their clock ticks. Nobody is told that messages take no time then.
func TestACalibrationThatIsFasterThanItsClock(t *testing.T) {
	for trip, says := range map[clock.Time]string{0: "none, a round trip takes less than a tick; want shorter ones, such as tick=1ns", 1: ""} {
		m := &measured{unit: 5_000_000, samples: calibration.Samples{
			RoundTrips: []clock.Time{trip, trip, 7}, Sends: []clock.Time{0, 0, 0}, Bursts: []calibration.BurstSample{{Messages: 2}},
			Sizes: []calibration.SizeSample{{Bytes: 1, Trips: []clock.Time{0}}, {Bytes: 9, Trips: []clock.Time{0}}},
		}}
		details := m.details(nil)
		require.Equal(t, says != "", len(details) == 1, "%v", details)
		if says != "" {
			require.Equal(t, scenarios.Detail{Name: "estimate", Text: says}, details[0])
		}
	}
}

// The latency is that between ranks 0 and 1, on every network.
func TestACalibrationGoesWithAllNetworks(t *testing.T) {
	for network, latency := range map[string]float64{
		"uniform": 7, "torus:2x2x2": 7, "torus:2x2x2:zyx": 7, "fattree:2x3": 14, "switch:9": 16,
	} {
		run := mustParse(t, "calibration P=8 L=7 rounds=5 trips=2 network="+network)
		_, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		e, ok := Calibrated(run)
		require.True(t, ok)
		require.Equal(t, calibration.Exact(latency), e.Latency, network)
	}
}

func TestCalibrationPromisesNothingIfAMeasurerFails(t *testing.T) {
	const line = "calibration P=4 rounds=5 warmup=1 bursts=2 trips=1 faults="
	for faults, evidence := range map[string][2]string{
		"none":                       {"5 round trips, 2 bursts, payloads of 9 sizes", "no rank waits for ever"},
		"crash:2,hang:3 crowd=0":     {"5 round trips, 2 bursts, payloads of 9 sizes", "no rank waits for ever"},
		"crash:2,hang:3":             {"nobody fails (rank 2 crashed at t=0)", "nobody fails (rank 2 crashed at t=0)"},
		"slow:1x9@step:rounds":       {"5 round trips, 2 bursts, payloads of 9 sizes", "no rank waits for ever"},
		"slow:1x9@send3,slow:0x2@t9": {"5 round trips, 2 bursts, payloads of 9 sizes", "no rank waits for ever"},
		"crash:1@t0":                 {"nobody fails (rank 1 crashed at t=0)", "nobody fails (rank 1 crashed at t=0)"},
		"hang:0@step:rounds":         {"nobody fails (rank 0 hung at t=", "nobody fails"},
		"cut:0|1@t9":                 {"every message arrives, and nobody comes back (cut:0|1@t9)", "every message arrives, and nobody comes back (cut:0|1@t9)"},
	} {
		outcome := mustExecute(t, line+faults, scenarios.Options{Trace: emu.TraceEvents})
		require.Len(t, outcome.Guarantees, 3)
		for i, want := range evidence {
			require.NotEqual(t, guarantee.Broken, outcome.Guarantees[i].Value, faults)
			require.Equal(t, strings.Contains(want, "nobody"), outcome.Guarantees[i].Value == guarantee.NotClaimed, faults)
			require.Contains(t, outcome.Guarantees[i].Evidence, want, faults)
		}
		require.NotEqual(t, guarantee.Broken, outcome.Guarantees[2].Value, faults)
	}
}

// A run in which nobody failed and something is missing has broken the promise.
func TestCalibrationsThatAreNotCompleteAreBroken(t *testing.T) {
	run := mustParse(t, "calibration P=2 rounds=5 bursts=2 trips=1")
	outcome, err := run.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	run.Prepare()
	require.NoError(t, run.Load(0, nil))
	again := run.Judge(outcome.Report)
	require.Equal(t, guarantee.Broken, again.Verdict())
	require.Equal(t, guarantee.Verdict{Name: "measurements are complete", Evidence: "no more than 0 of 2 bursts"}, again.Guarantees[0])
}

// Every schedule of one failure ends with what is promised.
func TestCalibrationStandsOneFailure(t *testing.T) {
	require.Empty(t, explore(t, "calibration P=3 rounds=2 warmup=1 burst=3 bursts=1 largest=3 trips=1", search.ExploreOptions{Faults: 1, Roots: true}).Violations)
}

// Samples travel between processes, and nonsense does not.
func TestSamplesTravel(t *testing.T) {
	const line = "calibration P=3 rounds=5 bursts=2 trips=1 G=1"
	here, there := mustParse(t, line), mustParse(t, line)
	_, err := here.Execute(t.Context(), scenarios.Options{})
	require.NoError(t, err)
	data, err := here.Save(0)
	require.NoError(t, err)
	require.NoError(t, there.Load(0, data))
	want, ok := Calibrated(here)
	require.True(t, ok)
	got, ok := Calibrated(there)
	require.True(t, ok)
	require.Equal(t, want, got)
	require.Equal(t, clock.LogP{Ranks: 3, Latency: 2, Overhead: 1, Gap: 1, PerByte: 1}, got.LogP(3))

	other := mustParse(t, "calibration P=3 rounds=4 bursts=2 trips=1 G=1")
	require.ErrorContains(t, other.Load(0, data), "want up to 4")
	_, ok = Calibrated(other)
	require.False(t, ok)
	nothing, err := here.Save(1)
	require.NoError(t, err)
	require.Empty(t, nothing)
}

func TestOnlyCalibrationsAreCalibrated(t *testing.T) {
	for _, line := range []string{"big P=4", "reduce P=4"} {
		run := mustParse(t, line)
		_, err := run.Execute(t.Context(), scenarios.Options{})
		require.NoError(t, err)
		e, ok := Calibrated(run)
		require.False(t, ok)
		require.Equal(t, calibration.Estimate{}, e)
	}
}

func TestCalibrationNeedsTwoRanks(t *testing.T) {
	_, err := ParseLine("calibration P=1")
	require.EqualError(t, err, "scenarios: P=1, want 2 or more: one rank asks and one answers")
	_, err = ParseLine("calibration largest=1 burst=1 rounds=0")
	require.EqualError(t, err, `scenarios: "largest=1": want a number from 2 to 16777216; "burst=1": want a number from 2 to 1048576; "rounds=0": want a number from 1 to 1048576`)
}

// What ranks share is a switch on the way of every message, which takes its part of L.
func TestWhatRanksShareIsASwitchInTheFile(t *testing.T) {
	is := calibration.Exact
	e := calibration.Estimate{Latency: is(50_000), Overhead: is(4_000), Delivery: is(58_000), Gap: is(5_000), Service: is(36_758.4)}
	file := MachineOf(e, 64)
	require.Equal(t, "switch:36758", file.Network)
	require.EqualValues(t, 50_000-36_758, file.Latency)
	e.Service = is(60_000)
	require.EqualValues(t, 1, MachineOf(e, 64).Latency)
	e.Service = is(0)
	file = MachineOf(e, 2)
	require.Empty(t, file.Network)
	require.EqualValues(t, 50_000, file.Latency)
}
