package search

import (
	"context"
	"errors"
	"sync"
)

// together has so many workers do the same work. If one of them fails the others need not go
// on, and its error is that of all.
func together(ctx context.Context, workers int, work func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() {
			if errs[i] = work(ctx); errs[i] != nil {
				stop(errs[i])
			}
		})
	}
	wait.Wait()
	if errors.Join(errs...) == nil {
		return nil // even if the context has ended meanwhile: all is done
	}
	return context.Cause(ctx)
}
