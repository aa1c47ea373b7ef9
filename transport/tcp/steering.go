package tcp

import (
	"sync"
	"sync/atomic"
	"time"
)

// steering is the clock of a process on another host than the coordinator: its own, kept in step with the coordinator's. It never goes
// back and does not jump while ranks see it: what is found out about it changes how fast it goes.
type steering struct {
	epoch time.Time // from which on its own clock counts
	// skewed is what the own clock shows instead, in tests: one of another host may go faster or slower.
	skewed func(time.Duration) time.Duration

	course atomic.Pointer[course]

	mu    sync.Mutex
	known offset
	error time.Duration // by how much it was wrong at most since the run began
}

// course is what a clock shows from an instant of the own clock on.
type course struct {
	from, shows time.Duration
	begins      time.Duration // what it shows when the run begins, or notYet
	gain        float64       // how much faster than the own clock it goes
	turns       time.Duration // for how long: then it is right, as far as is known
}

// notYet is when a run begins of which that is not known.
const notYet = time.Duration(1 << 62)

// steepest is how much faster or slower than its own a clock may be made.
const steepest = 0.01

// own reads the clock of this host.
func (s *steering) own() time.Duration {
	t := time.Since(s.epoch)
	if s.skewed != nil {
		t = s.skewed(t)
	}
	return t
}

// at is what the clock shows when the own one shows that.
func (c *course) at(own time.Duration) time.Duration {
	since := own - c.from
	return c.shows + since + time.Duration(float64(min(since, c.turns))*c.gain)
}

// elapsed is how long the run has been going on.
func (s *steering) elapsed() time.Duration {
	own := s.own() // before the course is looked up, so that it does not go on for longer than that was right
	c := s.course.Load()
	return c.at(own) - c.begins
}

// set begins with what is known.
func (s *steering) set(known offset) {
	s.known = known
	s.course.Store(&course{from: known.at, shows: known.at + known.middle(), begins: notYet})
}

// begin says when the run begins.
func (s *steering) begin(at time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.course.Load()
	next.begins = at
	s.course.Store(&next)
	s.noteError(s.own()) // it may have begun: this process is one that comes back
}

// steer has a clock go faster or slower until it is right, which is when the next answer comes, or later if it is very wrong. If that does not come, it goes
// on as fast as the own one.
func (c *course) steer(ahead, untilNext time.Duration) {
	if ahead != 0 {
		c.gain = max(-steepest, min(steepest, float64(ahead)/float64(untilNext)))
		c.turns = time.Duration(float64(ahead) / c.gain)
	}
}

// learn hears one more answer, and steers so that the clock is right when the next one comes. It reports whether the answer goes
// with what was known.
func (s *steering) learn(asked, answered, shown, untilNext time.Duration) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteError(answered) // it is never as wrong as just before an answer
	s.known, ok = s.known.and(asked, answered, shown)
	s.noteError(answered) // unless what was known was wrong
	was := s.course.Load()
	next := course{from: answered, shows: was.at(answered), begins: was.begins}
	ahead := answered + s.known.middle() - next.shows
	if next.shows >= next.begins {
		next.steer(ahead, untilNext)
	} else {
		next.shows += ahead // nobody has seen it
	}
	s.course.Store(&next)
	s.noteError(answered)
	return ok
}

// noteError remembers how wrong the clock may be by now, if ranks can see it.
func (s *steering) noteError(own time.Duration) {
	if c := s.course.Load(); c.at(own) >= c.begins {
		s.error = max(s.error, s.errorAt(c, own))
	}
}

// errorAt is by how much a course may be wrong at an instant, as far as is known.
func (s *steering) errorAt(c *course, own time.Duration) time.Duration {
	return s.known.after(own).errorOf(c.at(own) - own)
}

// worst is how wrong the clock has been at most since the run began.
func (s *steering) worst() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteError(s.own())
	return s.error
}
