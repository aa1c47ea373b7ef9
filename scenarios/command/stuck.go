package command

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// stuckAfter is how long all processes of a run have to end it, when time is up or it has been called off.
const stuckAfter = 10 * time.Second

// endStuck ends the job if a run is not over in time: who is in an operation of the library waits there for all others, and cannot be told
// that one of them does not come. It returns what to call when the run is over.
func (a *app) endStuck(ctx context.Context, timeout time.Duration, operation string) (over func()) {
	done := make(chan struct{})
	go func() {
		tooLong := time.After(timeout)
		select {
		case <-done:
			return
		case <-tooLong:
		case <-ctx.Done():
		}
		select {
		case <-done:
		case <-time.After(a.grace()):
			fmt.Fprintf(a.loud, "%s: process %d of %d: %s is not over after %s; all processes of the job are ended\n", a.name, a.job.Index(), a.job.Count(), operation, timeout)
			a.abortJob(statusBroken)
		}
	}()
	return func() { close(done) }
}

// grace is how long a run that should be over is waited for.
func (a *app) grace() time.Duration { return cmp.Or(a.stuckAfter, stuckAfter) }

// abortJob ends all processes of the job.
func (a *app) abortJob(status int) {
	if a.abort != nil {
		a.abort(status)
		return
	}
	mpi.Abort(status)
}
