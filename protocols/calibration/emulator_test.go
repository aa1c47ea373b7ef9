package calibration

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/report"
)

// few measures little, so that many machines can be tried.
func few() Options {
	return Options{Warmup: 1, Rounds: 3, Burst: 4, Bursts: 2, Sizes: SizesUpTo(1000), Trips: 2}
}

// run calibrates an emulated machine.
func run(t require.TestingT, options Options, config emu.Config, schedule string) (Samples, *report.Report) {
	c, err := New(options)
	require.NoError(t, err)
	machine, err := emu.New(config)
	require.NoError(t, err)
	var samples Samples
	rep, err := machine.Run(context.Background(), c.Program(&samples), emu.Options{Faults: faults.MustParse(schedule)})
	require.NoError(t, err)
	require.NoError(t, c.Check(&samples))
	return samples, rep
}

// requireParameters fails unless the estimate is exactly that of a machine.
func requireParameters(t require.TestingT, want clock.LogP, samples Samples) {
	e, ok := samples.Estimate()
	require.True(t, ok)
	exactly := func(t clock.Time) Quantity { return Exact(float64(t)) }
	require.Equal(t, exactly(want.Latency), e.Latency, "L of %+v", want)
	require.Equal(t, exactly(want.Overhead), e.Overhead, "o of %+v", want)
	require.Equal(t, exactly(max(want.Overhead, want.Gap)), e.Gap, "g of %+v", want)
	require.Equal(t, exactly(want.PerByte), e.PerByte, "G of %+v", want)
	require.Equal(t, exactly(want.Delivery()), e.Delivery, "2o+L of %+v", want)
	require.Equal(t, e.Overhead, e.Send)
	require.Equal(t, Exact(0), e.Receive)
	require.True(t, e.Separable())
	require.Zero(t, samples.Late)
	trip := float64(2 * want.Delivery())
	require.Equal(t, Quartiles{trip, trip, trip}, e.RoundTrip)
	want.Gap, want.ManyReceives = max(want.Overhead, want.Gap), false
	require.Equal(t, want, e.LogP(want.Ranks))
}

// cost draws one of any magnitude, up to 2^most ticks.
func cost(t *rapid.T, name string, least, most int) clock.Time {
	bits := rapid.IntRange(0, most).Draw(t, "bits of "+name)
	return clock.Time(rapid.Int64Range(int64(least), max(int64(least), 1<<bits)).Draw(t, name))
}

// Whatever the machine, its parameters are found exactly; of g and o where g <= o, that is o.
func TestEstimatesOnTheEmulatorAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logp := clock.LogP{
			Ranks:   rapid.IntRange(2, 5).Draw(t, "P"),
			Latency: cost(t, "L", 1, 40), Overhead: cost(t, "o", 1, 40), Gap: cost(t, "g", 0, 40), PerByte: cost(t, "G", 0, 40),
			ManyReceives: rapid.Bool().Draw(t, "many receives"),
		}
		options := Options{
			Warmup: rapid.IntRange(0, 3).Draw(t, "warmup"), Rounds: rapid.IntRange(1, 14).Draw(t, "rounds"), Pause: cost(t, "pause", 0, 40),
			Burst: rapid.IntRange(2, 9).Draw(t, "burst"), Bursts: rapid.IntRange(1, 16).Draw(t, "bursts"),
			Sizes: SizesUpTo(rapid.IntRange(2, 4096).Draw(t, "largest")), Trips: rapid.IntRange(1, 7).Draw(t, "trips"),
		}
		samples, rep := run(t, options, emu.Config{LogP: logp, Workers: 1}, "none")
		require.Empty(t, rep.Deadlocks)
		requireParameters(t, logp, samples)
		c, err := New(options)
		require.NoError(t, err)
		require.Empty(t, c.Missing(&samples))
	})
}

// A gap up to o cannot be seen, and makes no difference to the machine.
func TestAGapThatHasNoEffectIsFoundAsOverhead(t *testing.T) {
	for gap := range clock.Time(8) {
		logp := clock.LogP{Ranks: 2, Latency: 9, Overhead: 5, Gap: gap, PerByte: 1}
		samples, _ := run(t, few(), emu.Config{LogP: logp}, "none")
		e, ok := samples.Estimate()
		require.True(t, ok)
		require.Equal(t, Exact(float64(max(5, gap))), e.Gap)
		require.Equal(t, logp.Costs(), e.LogP(2).Costs())
	}
}

// With a large gap a machine that is asked too early would answer late.
func TestRoundTripsDoNotWaitForPorts(t *testing.T) {
	for _, logp := range []clock.LogP{
		{Ranks: 2, Latency: 1, Overhead: 1, Gap: 1000},
		{Ranks: 2, Latency: 1, Overhead: 1, Gap: 1000, PerByte: 50},
		{Ranks: 2, Latency: 1, Overhead: 1, PerByte: 1000},
		{Ranks: 3, Latency: 1, Overhead: 500, Gap: 3},
	} {
		samples, _ := run(t, few(), emu.Config{LogP: logp}, "none")
		requireParameters(t, logp, samples)
	}
}

// A switch that is slower than the ports is what spaces a burst, but only where it arrives.
func TestABottleneckIsTheGap(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 54, Overhead: 3, Gap: 7}
	network := clock.Switch{In: 2, Service: 50, Out: 2}
	samples, _ := run(t, few(), emu.Config{LogP: logp, Network: network}, "none")
	require.Equal(t, []BurstSample{{Messages: 2, Sent: 7, Received: 50}, {Messages: 4, Sent: 3 * 7, Received: 3 * 50}}, samples.Bursts)
	logp.Gap = 50
	requireParameters(t, logp, samples)
}

// A message that is not there in time is waited for, and not counted: rank 1 is slow once round
// trips have been measured.
func TestLateMessagesAreNotCounted(t *testing.T) {
	logp := clock.LogP{Ranks: 2, Latency: 5, Overhead: 1}
	options := few()
	options.Rounds = 12
	calm, _ := run(t, options, emu.Config{LogP: logp}, "none")
	// Rank 1 sends a pong in the warm-up, then two answers to bursts, then 12 Pongs.
	samples, rep := run(t, options, emu.Config{LogP: logp}, "slow:1x100@before-send16")
	require.Empty(t, rep.Deadlocks)
	require.Equal(t, calm.RoundTrips, samples.RoundTrips)
	require.NotZero(t, samples.Late)
	require.NotEmpty(t, samples.Delays)
	require.Equal(t, options.Rounds, len(samples.Delays)+samples.Late)
}

// The first delay is just longer than a round trip, the next ones are twice and four times as long, and so on again: no longer than it takes, as
// more would come between.
func TestDelaysBeginJustAboveARoundTrip(t *testing.T) {
	options := few()
	options.Rounds = 9
	samples, _ := run(t, options, emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 5, Overhead: 1}}, "none")
	shortest := slices.Min(samples.RoundTrips) + 1
	require.Len(t, samples.Delays, options.Rounds)
	for i, d := range samples.Delays {
		require.Equal(t, shortest<<(i%3), d.Idle, "delay %d", i)
	}
}

// If one of the two fails, what was measured until then is there, and the other one waits.
func TestWhatWasMeasuredBeforeAFailureIsThere(t *testing.T) {
	logp := clock.LogP{Ranks: 3, Latency: 5, Overhead: 1}
	c, err := New(few())
	require.NoError(t, err)
	for _, tt := range []struct {
		schedule, missing string
		waiting           int
	}{
		{"crash:1", "0 of 2 bursts", 0},
		{"crash:1@after-send2", "1 of 2 bursts", 0},
		{"hang:1@after-send5", "2 of 3 round trips", 0},
		{"crash:0@step:receives", "0 of 3 receives", 1},
		{"crash:0@step:sizes", "0 of 18 trips with payloads", 1},
	} {
		samples, rep := run(t, few(), emu.Config{LogP: logp}, tt.schedule)
		require.Equal(t, tt.missing, c.Missing(&samples), tt.schedule)
		require.Len(t, rep.Deadlocks, 1, tt.schedule)
		require.Equal(t, tt.waiting, rep.Deadlocks[0].Rank, tt.schedule)
		_, ok := samples.Estimate()
		require.False(t, ok, tt.schedule)
	}
}

// Ranks that do not measure are not needed.
func TestOtherRanksMayFail(t *testing.T) {
	logp := clock.LogP{Ranks: 4, Latency: 5, Overhead: 1, Gap: 3, PerByte: 2}
	samples, rep := run(t, few(), emu.Config{LogP: logp}, "crash:2,hang:3")
	require.Empty(t, rep.Deadlocks)
	requireParameters(t, logp, samples)
}

// One rank alone has nobody to measure with, and says so.
func TestOneRankCannotMeasure(t *testing.T) {
	c, err := New(few())
	require.NoError(t, err)
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 1, Latency: 1, Overhead: 1}})
	require.NoError(t, err)
	_, err = machine.Run(t.Context(), c.Program(new(Samples)), emu.Options{})
	var panicked *emu.PanicError
	require.ErrorAs(t, err, &panicked)
	require.Contains(t, panicked.Value, "one rank, want two or more")
}
