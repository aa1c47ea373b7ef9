package tcp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/carriertest"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// network returns the machine of a pace, its ranks spread over several processes.
func network(pace tcp.Pace, d tcp.Detection, tick time.Duration, early, late time.Duration) proctest.Machine {
	return machineOf(tcp.RunLocal, pace, d, tick, early, late)
}

// carried is the same machine with a carrier in place of connections.
func carried(pace tcp.Pace, d tcp.Detection, tick time.Duration, early, late time.Duration) proctest.Machine {
	return machineOf(runCarried, pace, d, tick, early, late)
}

// runCarried runs a job on processes with a carrier.
func runCarried(ctx context.Context, job tcp.Job, d tcp.Detection, program protocols.Program) (*tcp.Result, error) {
	carriers := carriertest.New(job.Processes)
	return tcp.RunCarried(ctx, job, d, program, func(process int) tcp.Carrier { return carriers[process] })
}

// runner runs a program on all processes of a job.
type runner func(ctx context.Context, job tcp.Job, d tcp.Detection, program protocols.Program) (*tcp.Result, error)

func machineOf(run runner, pace tcp.Pace, d tcp.Detection, tick time.Duration, early, late time.Duration) proctest.Machine {
	return proctest.Machine{
		Early: clock.Time(early / tick), Late: clock.Time(late / tick), Attempts: 8, AtOnce: 16, Detects: d.Offered, Stores: true,
		Run: func(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			job := tcp.Job{Job: wire.NewJob(), LogP: params, Processes: min(params.Ranks, 5), Tick: tick, Pace: pace, Seed: seed, Faults: schedule}
			res, err := run(ctx, job, d, program)
			if err != nil {
				return nil, err
			}
			return res.Report, nil
		},
	}
}

// A machine that is busy with other tests may be late by a lot, by ten milliseconds for each of the 70 hops of
// a token and more, and is given up to a minute and a half in the eighth attempt. Without a pace, or with one for
// sends only, everything may also come as early as it likes; what a rank waits for on its own clock
// may not.
func TestConformance(t *testing.T) {
	t.Parallel()
	const late = 700 * time.Millisecond
	for _, pace := range tcp.Paces() {
		early := time.Hour
		if pace == tcp.Model {
			early = 0
		}
		t.Run(pace.String(), func(t *testing.T) {
			t.Parallel()
			proctest.Test(t, network(pace, tcp.Detection{}, time.Millisecond, early, late))
		})
	}
}

func TestConformanceOfTheDetector(t *testing.T) {
	t.Parallel()
	for name, machine := range map[string]func(tcp.Pace, tcp.Detection, time.Duration, time.Duration, time.Duration) proctest.Machine{"connections": network, "carrier": carried} {
		machine := machine(tcp.Free, tcp.Detection{Offered: true}, time.Millisecond, time.Hour, 700*time.Millisecond)
		for _, c := range proctest.Cases() {
			if c.Detector {
				t.Run(c.Name+"/"+name, func(t *testing.T) {
					t.Parallel()
					assert.NoError(t, c.Check(machine))
				})
			}
		}
	}
}

// What goes over a carrier passes, too. One pace is enough: what paces are about lies behind the carrier.
func TestConformanceOfACarrier(t *testing.T) {
	t.Parallel()
	proctest.Test(t, carried(tcp.Sends, tcp.Detection{}, time.Millisecond, time.Hour, 700*time.Millisecond))
}
