package search

import "sync"

// spares are things of which one goroutine at a time can use each, and which are dear to make.
type spares[T any] struct {
	mu   sync.Mutex
	free []T
}

// take takes one that is free, or makes one.
func (s *spares[T]) take(make func() (T, error)) (T, error) {
	s.mu.Lock()
	n := len(s.free)
	if n == 0 {
		s.mu.Unlock()
		return make()
	}
	defer s.mu.Unlock()
	x := s.free[n-1]
	s.free = s.free[:n-1]
	return x, nil
}

func (s *spares[T]) giveBack(x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, x)
}
