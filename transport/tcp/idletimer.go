package tcp

import (
	"sync/atomic"
	"time"
)

// idleTimer says when a process has been idle for a while. A rank that waits for its next message makes it
// idle, too, again and again; telling others each time would cost far more than the messages do.
type idleTimer struct {
	changes atomic.Int64 // that may have made the process idle, or a different idle one
	armed   atomic.Bool  // the timer is running
	timer   *time.Timer
	pause   atomic.Int64 // until the next look, in nanoseconds
}

// The pause between two looks doubles as long as something changes.
const (
	shortestPause = 2 * time.Millisecond
	longestPause  = 50 * time.Millisecond
)

func newIdleTimer() *idleTimer {
	t := &idleTimer{timer: time.NewTimer(time.Hour)}
	t.timer.Stop()
	return t
}

// changed says that something has. It is called for every message.
func (t *idleTimer) changed() {
	t.changes.Add(1)
	if t.armed.CompareAndSwap(false, true) {
		t.timer.Reset(max(shortestPause, time.Duration(t.pause.Load())))
	}
}

// unchanged reports, when the timer has run off, whether nothing has changed since the last look. If
// something has there will be another one.
func (t *idleTimer) unchanged(seen *int64) bool {
	t.armed.Store(false)
	if now := t.changes.Load(); now != *seen {
		*seen = now
		t.pause.Store(int64(min(longestPause, 2*max(shortestPause, time.Duration(t.pause.Load())))))
		if t.armed.CompareAndSwap(false, true) {
			t.timer.Reset(time.Duration(t.pause.Load()))
		}
		return false
	}
	t.pause.Store(0)
	return true
}
