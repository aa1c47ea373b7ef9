package campaign

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

// Options say how to run a campaign. They have no influence on what is in its file.
type Options struct {
	Shard   Shard
	Workers int // runs at a time; 0: one for each processor
	// Progress is called after each run that is in the file, by one goroutine. Optional.
	Progress func(done, of int)
}

// Run runs what is not in the file of results yet. If it is interrupted the file is good, and Run
// goes on from there.
func (c *Campaign) Run(ctx context.Context, file string, o Options) (err error) {
	if err := o.Shard.validate(); err != nil {
		return err
	}
	shard := o.Shard.normal()
	out, err := openResults(file, c, shard)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.close()) }()
	of := shard.jobs(c.Jobs())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	records, failures := c.work(ctx, shard, out.count, of, o.workers())
	for record := range records {
		if err == nil {
			err = out.add(record)
		}
		switch {
		case err != nil:
			cancel() // and wait until all have stopped
		case o.Progress != nil:
			o.Progress(out.count, of)
		}
	}
	return errors.Join(err, <-failures)
}

// CheckMemory refuses campaigns whose largest machines do not fit into memory, as many as run at a time.
func (c *Campaign) CheckMemory(workers int) error {
	most := 0
	for point := range c.Points() {
		run, err := catalog.ParseLine(c.LineOf(point, 0))
		if err != nil {
			return err
		}
		most = max(most, run.Config().Ranks)
	}
	return emu.CheckMemory(most, Options{Workers: workers}.workers())
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// work runs jobs from the first on, several at a time, and hands on their records in order. The
// error comes when there are no more records.
func (c *Campaign) work(ctx context.Context, s Shard, first, of, workers int) (<-chan Record, <-chan error) {
	ctx, cancel := context.WithCancelCause(ctx)
	records, failures := make(chan Record), make(chan error, 1)
	// Each job has a place in the queue, in order; whoever runs it fills in the record.
	queue := make(chan chan Record, 4*workers)
	var wait sync.WaitGroup
	type task struct {
		job  int
		into chan Record
	}
	tasks := make(chan task)
	for range workers {
		wait.Go(func() {
			executor := scenarios.NewExecutor(scenarios.Options{Workers: 1, Trace: emu.TraceOff, Keep: true})
			defer func() {
				if err := executor.Close(); err != nil {
					cancel(err)
				}
			}()
			for t := range tasks {
				record, err := c.runJob(ctx, executor, t.job)
				if err != nil {
					cancel(err)
				} else {
					t.into <- record
				}
				close(t.into)
			}
		})
	}
	go func() { // gives out jobs
		defer close(tasks)
		defer close(queue)
		for i := first; i < of; i++ {
			into := make(chan Record, 1)
			select {
			case queue <- into:
			case <-ctx.Done():
				return
			}
			select {
			case tasks <- task{s.job(i), into}:
			case <-ctx.Done():
				close(into)
				return
			}
		}
	}()
	go func() { // hands on records
		defer cancel(nil)
		for into := range queue {
			if record, ok := <-into; ok && ctx.Err() == nil {
				select {
				case records <- record:
					continue
				case <-ctx.Done():
				}
			}
			cancel(errEnd) // nothing after a record that is missing
		}
		wait.Wait()
		close(records)
		if err := context.Cause(ctx); err != nil && err != errEnd {
			failures <- err
		}
		close(failures)
	}()
	return records, failures
}

var errEnd = errors.New("campaign: no more records")

// runJob runs one job.
func (c *Campaign) runJob(ctx context.Context, executor *scenarios.Executor, job int) (Record, error) {
	run, err := catalog.ParseLine(c.LineOf(job/c.Runs, job%c.Runs))
	if err != nil {
		return Record{}, err
	}
	outcome, err := executor.Run(ctx, run)
	if err != nil {
		return Record{}, err
	}
	return c.record(job, outcome), nil
}
