package search

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// crew is so many workers that do the same work.
type crew struct {
	workers int
	work    func(context.Context) error
}

// together has crews work at the same time. If one worker fails the others need not go on, and its error is that of all.
func together(ctx context.Context, crews ...crew) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all []func(context.Context) error
	for _, c := range crews {
		all = append(all, slices.Repeat([]func(context.Context) error{c.work}, c.workers)...)
	}
	errs := make([]error, len(all))
	var wait sync.WaitGroup
	for i, work := range all {
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
