package campaign

import (
	"context"
	"errors"
	"time"
)

// mostSampled is of how many points a run is tried.
const mostSampled = 24

// Estimate returns how many runs are missing in a file of results, and about how long they will take, from a
// run of each point, or of some of them if there are many. It writes nothing.
func (c *Campaign) Estimate(ctx context.Context, file string, o Options) (runs int, took time.Duration, err error) {
	shard := o.Shard.normal()
	done, err := doneIn(file, c, shard)
	if err != nil {
		return 0, 0, err
	}
	if runs = shard.jobs(c.Jobs()) - done; runs == 0 {
		return 0, 0, nil
	}
	executor := newExecutor()
	defer func() { err = errors.Join(err, executor.Close()) }()
	first := shard.job(done) / c.Runs // the point at which the campaign goes on
	points := c.Points() - first
	sampled := min(points, mostSampled)
	var sum time.Duration
	for i := range sampled {
		point := first + i*points/sampled
		for range 2 { // the second time the machine is there
			began := time.Now()
			if _, err := c.runJob(ctx, executor, point*c.Runs); err != nil {
				return 0, 0, err
			}
			took = time.Since(began)
		}
		sum += took
	}
	return runs, sum / time.Duration(sampled) * time.Duration(runs) / time.Duration(o.workers()), nil
}
