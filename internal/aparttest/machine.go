package aparttest

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/proctest"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// patience is how long a run may take. It is much: machines may be busy.
const patience = 3 * time.Minute

// Machine is one of several processes. They have nothing in common but their group, and a carrier if there is one.
type Machine struct {
	parts.Group
	Pace    tcp.Pace
	Tick    time.Duration
	Carrier tcp.Carrier // nil: they talk over connections
}

// Tested is the machine as the suite wants it. Ticks are short; as long as there is no time for that, attempts take twice as long.
func (m Machine) Tested() proctest.Machine {
	tested := proctest.Machine{Run: m.Run, Share: m.ToAll, Late: clock.Time(35 * time.Millisecond / m.Tick), Attempts: 12, Detects: true, Stores: true}
	if m.Pace != tcp.Model {
		tested.Early = clock.Time(time.Hour / m.Tick)
	}
	return tested
}

// Run has the processes run a program; the first one has the coordinator, and so the report.
func (m Machine) Run(params clock.LogP, seed uint64, schedule faults.Schedule, program protocols.Program) (*report.Report, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	job := tcp.Job{Job: wire.NewJob(), LogP: params, Processes: min(params.Ranks, m.Count()), Tick: m.Tick, Pace: m.Pace, Seed: seed, Faults: schedule, Eager: m.Carrier != nil}
	if m.Index() > 0 {
		return nil, m.serve(ctx, job, "", program)
	}
	c, err := tcp.NewCoordinator(tcp.CoordinatorConfig{Job: job, Detection: tcp.Detection{Offered: true}, Initiators: program.Initiators})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	served := make(chan error, 1)
	go func() { served <- m.serve(ctx, job, c.Addr().String(), program) }()
	if err := c.Start(ctx, 5*time.Millisecond); err != nil {
		return nil, err
	}
	res, err := c.Wait(ctx)
	if err := errors.Join(err, <-served); err != nil {
		return nil, err
	}
	return res.Report, nil
}

// serve runs the ranks that are here, if there are any. The first process tells all how to reach its coordinator.
func (m Machine) serve(ctx context.Context, job tcp.Job, coordinator string, program protocols.Program) error {
	invitations, err := m.ToAll([]byte(job.Key() + " " + coordinator))
	if err != nil {
		return err
	}
	key, coordinator, _ := strings.Cut(string(invitations[0]), " ")
	if job.Job, err = wire.ParseKey(key); err != nil || m.Index() >= job.Processes {
		return err
	}
	storage, err := os.MkdirTemp("", "mangrove-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(storage)
	n, err := tcp.Listen(tcp.Config{Job: job, Process: m.Index(), Storage: storage, Carrier: m.Carrier})
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Join(ctx, coordinator); err != nil {
		return err
	}
	return n.Run(ctx, program, nil)
}

// ToAll tells all processes the same, and returns what each of them tells.
func (m Machine) ToAll(own []byte) ([][]byte, error) {
	return m.Exchange(slices.Repeat([][]byte{own}, m.Count()))
}
