package tcp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// A calibration ends, plain and encrypted, and what it says makes sense, however long things take on
// this machine today.
func TestACalibrationOverTCPMakesSense(t *testing.T) {
	for _, encrypt := range []bool{false, true} {
		options := calibration.Options{Warmup: 5, Rounds: 24, Burst: 8, Bursts: 18, Sizes: calibration.SizesUpTo(1 << 12), Trips: 6}
		c, err := calibration.New(options)
		require.NoError(t, err)
		job := tcp.Job{
			Job: wire.NewJob(), LogP: clock.LogP{Ranks: 2, Latency: 1, Overhead: 1}, Processes: 2, Tick: time.Nanosecond,
			Eager: true, Encrypt: encrypt,
		}
		var samples calibration.Samples
		_, err = tcp.RunLocal(context.Background(), job, tcp.Detection{}, c.Program(&samples))
		require.NoError(t, err)
		require.NoError(t, c.Check(&samples))
		require.Empty(t, c.Missing(&samples))
		e, ok := samples.Estimate()
		require.True(t, ok)
		require.Equal(t, 6, e.Estimates)
		for _, q := range []calibration.Quantity{e.Latency, e.Overhead, e.Gap, e.PerByte, e.Delivery, e.Send, e.Receive} {
			require.LessOrEqual(t, q.Low, q.Value)
			require.LessOrEqual(t, q.Value, q.High)
		}
		require.Positive(t, e.Overhead.High, "a send takes time") // its lowest estimate may be below 0 on a busy machine
		require.Positive(t, e.Delivery.Low)
		require.LessOrEqual(t, e.Overhead.Value, e.Send.Value)
		require.InDelta(t, e.Delivery.Value, 2*e.Overhead.Value+e.Latency.Value, 1)
		machine := e.LogP(2)
		require.NoError(t, machine.Validate())
		require.InDelta(t, max(3, e.Delivery.Value), float64(machine.Delivery()), 1, "separable or not")
	}
}
