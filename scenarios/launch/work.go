package launch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// errOrphan ends a process whose launcher has ended.
var errOrphan = errors.New("launch: the launcher has ended")

// Work is what a process does that a launcher has started: it reads its specification and takes
// part in the job. It ends as soon as its input does.
func Work(ctx context.Context, registry scenarios.Registry, input io.Reader, log func(line string)) error {
	var spec processSpec
	if err := json.NewDecoder(input).Decode(&spec); err != nil {
		return fmt.Errorf("launch: no specification of a process: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { // until the process ends
		io.Copy(io.Discard, input)
		cancel(errOrphan)
	}()
	return spec.work(ctx, registry, log)
}

// work runs the ranks of one process.
func (s processSpec) work(ctx context.Context, registry scenarios.Registry, log func(line string)) error {
	run, err := registry.ParseLine(s.Line)
	if err != nil {
		return fmt.Errorf("launch: process %d: %w", s.Process, err)
	}
	cfg, err := s.config(run, log)
	if err != nil {
		return err
	}
	node, err := tcp.Listen(cfg)
	if err != nil {
		return err
	}
	defer node.Close()
	if err := node.Join(ctx, s.Coordinator); err != nil {
		return err
	}
	return workOn(ctx, node, run)
}

// workOn runs the ranks of a process that has joined, and reports.
func workOn(ctx context.Context, node *tcp.Node, run *scenarios.Run) error {
	run.Prepare()
	return node.Run(ctx, run.Experiment().Program, func(rank int) ([]byte, error) {
		state, err := run.Save(rank)
		if err != nil {
			return nil, fmt.Errorf("launch: what rank %d has left: %w", rank, err)
		}
		return state, nil
	})
}
