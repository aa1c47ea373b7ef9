package scenarios

import "iter"

// Results is a [State] of up to one value for each rank, such as what it has decided, for promises and measures to look at. Values travel as gob
// where ranks are processes of their own: fields that are not exported do not.
type Results[T any] struct {
	State
	of []*T
}

// NewResults returns results of so many ranks, none of which has left any yet.
func NewResults[T any](ranks int) *Results[T] {
	r := &Results[T]{of: make([]*T, ranks)}
	r.State = PerRank[T]{
		Ranks:  ranks,
		Forget: func() { clear(r.of) },
		Left:   func(rank int) *T { return r.of[rank] },
		Take:   func(rank int, left *T) error { r.of[rank] = left; return nil },
	}
	return r
}

// Unwrap is what keeps them.
func (r *Results[T]) Unwrap() State { return r.State }

// Set leaves the result of a rank. Only its own program may call it.
func (r *Results[T]) Set(rank int, value T) { r.of[rank] = &value }

// Of returns the result of a rank; it has none if it has failed before, or waits for ever.
func (r *Results[T]) Of(rank int) (value T, ok bool) {
	if r.of[rank] == nil {
		return value, false
	}
	return *r.of[rank], true
}

// All are the ranks that have a result, ascending, and what it is.
func (r *Results[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for rank, value := range r.of {
			if value != nil && !yield(rank, *value) {
				return
			}
		}
	}
}
