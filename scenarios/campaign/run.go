package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
)

// Options say how to run a campaign. They have no influence on what is in its file.
type Options struct {
	Shard   Shard
	Workers int // runs at a time; 0: one for each processor
	// Office hands out runs to other processes, besides; nil: there are none. These must [Serve].
	Office *handout.Office
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
	for record, err := range c.records(ctx, shard, out.count, of, o) {
		if err == nil {
			err = out.add(record)
		}
		if err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(out.count, of)
		}
	}
	return nil
}

// CheckMemory refuses campaigns whose largest machines do not fit into memory, as many as run at a time.
func (c *Campaign) CheckMemory(workers int) error {
	var most emu.Need
	for point := range c.Points() {
		run, err := c.protocols.ParseLine(c.LineOf(point, 0))
		if err != nil {
			return err
		}
		if need := run.Need(scenarios.Options{}); need.Bytes() > most.Bytes() {
			most = need
		}
	}
	return most.Times(Options{Workers: workers}.workers()).Check(emu.Limits(), nil)
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// hands is how many runs other processes do at a time.
func (o Options) hands() int {
	if o.Office == nil {
		return 0
	}
	return o.Office.Hands()
}

// task is a job to run, and where its record goes. Without one that place is closed.
type task struct {
	job  int
	into chan Record
}

// records runs jobs from the first on, several at a time, and yields their records in order. If there is an error, it
// comes last.
func (c *Campaign) records(ctx context.Context, s Shard, first, of int, o Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		// Each job has a place in the queue, in order; whoever runs it fills in the record.
		workers, elsewhere := o.workers(), o.hands()
		queue, tasks := make(chan chan Record, 4*(workers+elsewhere)), make(chan task)
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel(nil)
		for range workers {
			wait.Go(func() { c.runTasks(ctx, cancel, tasks) })
		}
		for range elsewhere {
			wait.Go(func() {
				do(cancel, tasks, func(job int) (Record, error) { return c.elsewhere(ctx, o.Office, job) })
			})
		}
		wait.Go(func() { s.giveOut(ctx, first, of, queue, tasks) })
		for into := range queue {
			record, ok := <-into
			if !ok || ctx.Err() != nil {
				break // nothing after a record that is missing
			}
			if !yield(record, nil) {
				return
			}
		}
		if err := context.Cause(ctx); err != nil {
			yield(Record{}, err)
		}
	}
}

// runTasks runs tasks on a machine of its own. An error ends the work of all.
func (c *Campaign) runTasks(ctx context.Context, cancel context.CancelCauseFunc, tasks <-chan task) {
	executor := newExecutor()
	defer closeExecutor(executor)
	do(cancel, tasks, func(job int) (Record, error) { return c.runJob(ctx, executor, job) })
}

func closeExecutor(executor *scenarios.Executor) {
	if err := executor.Close(); err != nil {
		panic(fmt.Sprintf("campaign: a machine on which nothing runs cannot be closed: %v", err))
	}
}

// do has tasks run one after the other.
func do(cancel context.CancelCauseFunc, tasks <-chan task, run func(job int) (Record, error)) {
	for t := range tasks {
		record, err := run(t.job)
		if err != nil {
			cancel(err)
		} else {
			t.into <- record
		}
		close(t.into)
	}
}

// newExecutor is a machine for one run after the other.
func newExecutor() *scenarios.Executor {
	return scenarios.NewExecutor(scenarios.Options{Workers: 1, Trace: emu.TraceOff, Keep: true})
}

// giveOut queues places for the records of jobs, and gives out the jobs.
func (s Shard) giveOut(ctx context.Context, first, of int, queue chan<- chan Record, tasks chan<- task) {
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
}

// runJob runs one job.
func (c *Campaign) runJob(ctx context.Context, executor *scenarios.Executor, job int) (Record, error) {
	run, err := c.protocols.ParseLine(c.LineOf(job/c.Runs, job%c.Runs))
	if err != nil {
		return Record{}, err
	}
	outcome, err := executor.Run(ctx, run)
	if err != nil {
		return Record{}, err
	}
	return c.record(job, outcome), nil
}
