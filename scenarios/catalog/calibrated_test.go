package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// onLoopback is an estimate as real processes give it.
func onLoopback() calibration.Estimate {
	return calibration.Estimate{
		Latency: calibration.Quantity{Value: 82_729.633, Low: 77_990.4, High: 96_183.2}, Overhead: calibration.Quantity{Value: 5_758.6, Low: 5_095.6, High: 6_695.2},
		Delivery: calibration.Quantity{Value: 94_246.8, Low: 88_181.5, High: 109_573.5}, Gap: calibration.Quantity{Value: 5_521.5, Low: 4_948.5, High: 6_442.1},
		PerByte: calibration.Quantity{Value: 3.2564, Low: 2.389, High: 5.023}, Send: calibration.Quantity{Value: 156_669, Low: 128_022.5, High: 170_754},
		Receive: calibration.Quantity{Value: 13.75, Low: -3.4, High: 99.96}, RoundTrip: calibration.Quartiles{Lower: 171_452.9, Median: 188_493.6, Upper: 224_214.9},
		Service: calibration.Quantity{Value: 2_000, Low: 0, High: 2_100}, Estimates: 6, Source: calibration.NewProcesses,
	}
}

func TestQuantitiesHaveIntervals(t *testing.T) {
	require.Equal(t, []scenarios.Detail{
		{Name: "latency L", Text: "82730 ticks (82.73 us), 77990 to 96183"},
		{Name: "overhead o", Text: "5759 ticks (5.759 us), 5096 to 6695"},
		{Name: "2o+L", Text: "94247 ticks (94.247 us), 88182 to 109574"},
		{Name: "gap g", Text: "5522 ticks (5.522 us), 4949 to 6442"},
		{Name: "per byte G", Text: "3.256 ticks (3.256 ns), 2.389 to 5.023"},
		{Name: "round trip", Text: "188494 ticks (188.494 us), half of them from 171453 to 224215"},
		{Name: "send", Text: "156669 ticks (156.669 us), 128023 to 170754 by itself"},
		{Name: "receive", Text: "13.75 ticks (13.75 ns), -3.4 to 99.96 of a rank that computes"},
		{Name: "service", Text: "2000 ticks (2 us), 0 to 2100 of what all ranks share, for each message"},
		{Name: "intervals", Text: "lowest to highest of 6 runs with new processes; 1 in 32 such intervals misses"},
	}, CalibrationDetails(onLoopback(), 1))
}

// Where L and o are not known, nobody is told that they were.
func TestWhatIsNotSeparableIsCalledSo(t *testing.T) {
	e := onLoopback()
	e.Latency.Low = 0
	require.Equal(t, scenarios.Detail{Name: "L and o", Text: "cannot be separated: 2o+L = 94247 ticks (94.247 us), 88182 to 109574"}, CalibrationDetails(e, 1)[0])
	require.Equal(t, "gap g", CalibrationDetails(e, 1)[1].Name)

	e.Service = calibration.Exact(0)
	file := MachineOf(e, 2)
	require.Equal(t, `L and o cannot be separated: 2o+L = 94247 ticks (94.247 us), 88182 to 109574
Below, 2o+L and the spacing of sends are as measured; how 2o+L is divided is not.
g: 5522 ticks (5.522 us), 4949 to 6442
G: 3.256 ticks (3.256 ns), 2.389 to 5.023
Intervals: lowest to highest of 6 runs with new processes; 1 in 32 such intervals misses.`, file.Comment)
	require.EqualValues(t, 94_247, 2*file.Overhead+file.Latency)
	require.EqualValues(t, 5_759, max(file.Overhead, file.Gap))
	require.Equal(t, false, file.Measured["separable"])

	e.Estimates = 1
	details := CalibrationDetails(e, 1)
	require.Equal(t, scenarios.Detail{Name: "intervals", Text: "none, too little was measured"}, details[len(details)-1])
}

// A file says how well its values are known, and is read as any other.
func TestAMachineFileHasIntervals(t *testing.T) {
	file := MachineOf(onLoopback(), 2)
	require.Contains(t, file.Comment, "L: 82730 ticks (82.73 us), 77990 to 96183\no: 5759 ticks (5.759 us), 5096 to 6695\n2o+L: 94247 ")
	text, err := file.Marshal()
	require.NoError(t, err)
	read, err := line.ReadMachineFile(writeFile(t, string(text)))
	require.NoError(t, err)
	require.Equal(t, file.Comment, read.Comment)
	require.Equal(t, file.Latency, read.Latency)
	require.Equal(t, true, read.Measured["separable"])
	intervals, ok := read.Measured["intervals"].(map[string]any)
	require.True(t, ok)
	require.Equal(t, []any{77_990.4, 96_183.2}, intervals["L"])
	require.Equal(t, []any{5_095.6, 6_695.2}, intervals["o"])
	require.Equal(t, []any{4_948.5, 6_442.1}, intervals["g"])
	require.Equal(t, []any{2.389, 5.023}, intervals["G"])
	require.Equal(t, []any{88_181.5, 109_573.5}, intervals["delivery"])
	require.Equal(t, 1.0/32, intervals["misses"])
	require.Equal(t, true, intervals["processes_anew"])
}

// Runs of processes that stayed the same say less than those of new ones, and are not called so.
func TestIntervalsSayWhatTheyComeFrom(t *testing.T) {
	for source, says := range map[calibration.Source]string{
		calibration.Stretches: "6 stretches of the run;", calibration.SameProcesses: "6 runs of the same processes;", calibration.NewProcesses: "6 runs with new processes;",
	} {
		e := onLoopback()
		e.Source = source
		file := MachineOf(e, 2)
		require.Contains(t, file.Comment, says)
		require.Equal(t, source == calibration.NewProcesses, file.Measured["intervals"].(map[string]any)["processes_anew"])
	}
}
