package parts

import (
	"context"
	"sync"
)

// Together has so many parts of this process do something, each in a goroutine of its own, and returns the error of each. The first error ends all calls
// in which others wait for that part.
func Together(ctx context.Context, count int, do func(Mail) error) []error {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	errs := make([]error, count)
	var wait sync.WaitGroup
	for i, part := range InProcess(ctx, count) {
		wait.Go(func() {
			if errs[i] = do(part); errs[i] != nil {
				leave(errs[i])
			}
		})
	}
	wait.Wait()
	return errs
}
