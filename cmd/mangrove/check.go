package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// compare runs the line once more with another number of workers, if it is asked to. The same
// must happen. The text says that it has.
func (f *runFlags) compare(ctx context.Context, run *scenarios.Run, outcome *scenarios.Outcome, opts scenarios.Options) (string, error) {
	if !f.check {
		return "", nil
	}
	first := opts.Workers
	if first == 0 {
		first = runtime.GOMAXPROCS(0)
	}
	opts.Workers = otherWorkers(first)
	again, err := run.Execute(ctx, opts)
	if err != nil {
		return "", err
	}
	if again.Report.Hash != outcome.Report.Hash {
		return "", fmt.Errorf("the run does not repeat: hash %v with %s, and %v with %s",
			outcome.Report.Hash, text.Count(first, "worker"), again.Report.Hash, text.Count(opts.Workers, "worker"))
	}
	return fmt.Sprintf("run twice, with %d and %d workers: same hash", first, opts.Workers), nil
}

// otherWorkers is another number of workers.
func otherWorkers(n int) int {
	if n == 1 {
		return 3
	}
	return 1
}
