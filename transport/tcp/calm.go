package tcp

import (
	"sync/atomic"
	"time"
)

// calm says when a process has been idle for a while. A rank that waits for its next message makes it
// idle, too, again and again; telling others each time would cost far more than the messages do.
type calm struct {
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

func newCalm() *calm {
	c := &calm{timer: time.NewTimer(time.Hour)}
	c.timer.Stop()
	return c
}

// stir says that something has changed. It is called for every message.
func (c *calm) stir() {
	c.changes.Add(1)
	if c.armed.CompareAndSwap(false, true) {
		c.timer.Reset(max(shortestPause, time.Duration(c.pause.Load())))
	}
}

// settled reports, when the timer has run off, whether nothing has changed since the last look. If
// something has there will be another one.
func (c *calm) settled(seen *int64) bool {
	c.armed.Store(false)
	if now := c.changes.Load(); now != *seen {
		*seen = now
		c.pause.Store(int64(min(longestPause, 2*max(shortestPause, time.Duration(c.pause.Load())))))
		if c.armed.CompareAndSwap(false, true) {
			c.timer.Reset(time.Duration(c.pause.Load()))
		}
		return false
	}
	c.pause.Store(0)
	return true
}
