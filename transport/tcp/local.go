package tcp

import (
	"context"
	"os"
	"time"

	"github.com/mangrove-emu/mangrove/protocols"
)

// RunLocal runs a program on all ranks of a job whose processes are only goroutines of this one,
// over connections of the loopback interface: for tests, and for those who want to see what a
// network makes of a protocol without having one. What ranks keep lies in a temporary folder that does not outlive the run.
func RunLocal(ctx context.Context, job Job, d Detection, program protocols.Program) (*Result, error) {
	return runLocal(ctx, job, d, program, func(int) Carrier { return nil })
}

// runLocal is RunLocal with a carrier for each process.
func runLocal(ctx context.Context, job Job, d Detection, program protocols.Program, carrier func(process int) Carrier) (*Result, error) {
	storage, err := os.MkdirTemp("", "mangrove-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(storage)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, err := NewCoordinator(CoordinatorConfig{Job: job, Detection: d, Initiators: program.Initiators})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	ends := make(chan error, job.Processes)
	for process := range job.Processes {
		cfg := Config{Job: job, Process: process, Storage: storage, Carrier: carrier(process)}
		go func() { ends <- runProcess(ctx, cfg, c.Addr().String(), program) }()
	}
	res, err := coordinate(ctx, c)
	if err != nil {
		cancel(err)
		c.Close()
	}
	for range job.Processes {
		if end := <-ends; err == nil {
			err = end
		}
	}
	return res, err
}

// startDelay is how long it takes at most until all processes of this host have heard of the start.
const startDelay = 5 * time.Millisecond

func coordinate(ctx context.Context, c *Coordinator) (*Result, error) {
	if err := c.Start(ctx, startDelay); err != nil {
		return nil, err
	}
	return c.Wait(ctx)
}

// runProcess is what one process of a job does.
func runProcess(ctx context.Context, cfg Config, coordinator string, program protocols.Program) error {
	n, err := Listen(cfg)
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Join(ctx, coordinator); err != nil {
		return err
	}
	return n.Run(ctx, program, nil)
}
