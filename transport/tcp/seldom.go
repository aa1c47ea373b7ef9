package tcp

import (
	"sync"
	"time"
)

// seldom tells of something that others can make happen as often as they like: at once if it has been quiet, and then once in a while,
// with how often it has happened meanwhile and what the last of it was. It keeps no more than that, however often it is.
type seldom[T any] struct {
	pause time.Duration // between two that are told of
	tell  func(times int, last T)

	mu     sync.Mutex
	timer  *time.Timer // nil: it has been quiet
	times  int         // that have not been told of
	last   T
	closed bool
}

// usualPause is how long it is quiet at least between two lines about something that others can make happen.
const usualPause = time.Second

// note says that it has happened.
func (s *seldom[T]) note(what T) {
	s.mu.Lock()
	quiet := s.timer == nil && !s.closed
	switch {
	case quiet:
		s.timer = time.AfterFunc(s.pause, s.next)
	case !s.closed:
		s.times++
		s.last = what
	}
	s.mu.Unlock()
	if quiet {
		s.tell(1, what)
	}
}

// next tells of what has happened since it was told of last. If that is nothing, it is quiet again.
func (s *seldom[T]) next() {
	s.mu.Lock()
	times, last := s.times, s.last
	s.times = 0
	if times == 0 || s.closed {
		s.timer = nil
	} else {
		s.timer.Reset(s.pause)
	}
	s.mu.Unlock()
	if times > 0 {
		s.tell(times, last)
	}
}

// close tells of what has not been told of. There is nothing more to come.
func (s *seldom[T]) close() {
	s.mu.Lock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	s.next()
}
