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
	points := sampledPoints(shard.job(done)/c.Runs, c.Points())
	var sum time.Duration
	for _, point := range points {
		for range 2 { // the second time the machine is there
			began := time.Now()
			if _, err := c.runJob(ctx, executor, point*c.Runs); err != nil {
				return 0, 0, err
			}
			took = time.Since(began)
		}
		sum += took
	}
	return runs, extrapolated(sum, len(points), runs, o.workers()+o.hands()), nil
}

// sampledPoints are some points from the first on, evenly spaced, or all if they are few.
func sampledPoints(first, end int) []int {
	left := end - first
	points := make([]int, min(left, mostSampled))
	for i := range points {
		points[i] = first + i*left/len(points)
	}
	return points
}

// extrapolated is how long so many runs take, several at a time, if some of them have taken sum, one after the other.
func extrapolated(sum time.Duration, some, runs, workers int) time.Duration {
	return sum / time.Duration(some) * time.Duration(runs) / time.Duration(workers)
}
