package search

import "time"

// book is where it is noted what the schedules of a part have found.
type book interface {
	open(part int, found *Exploration) (followers int)
	note(part, followers int, found *Exploration)
	lose(found *Exploration)
	close(part int)
}

// open begins a part with what its first schedule has found, and returns how many of its
// followers an earlier exploration has done. In that case the first schedule is known, too.
func (x *explorer) open(part int, found *Exploration) (followers int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	followers, known := x.result.Open[part]
	if !known {
		x.result.Open[part] = 0
		x.result.merge(found)
	}
	return followers
}

// note adds what a follower has found, after which so many of its part are done.
func (x *explorer) note(part, followers int, found *Exploration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.result.merge(found)
	x.result.Open[part] = followers
	x.saveInTime()
}

// close ends a part.
func (x *explorer) close(part int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.done(part)
}

// done notes that a part is. The caller holds the lock.
func (x *explorer) done(part int) {
	x.result.Done[part] = true
	delete(x.result.Open, part)
	x.saveInTime()
	x.meter.flush()
}

// lose keeps the violations of a follower that was interrupted: worth telling, but not to be
// stored, because it will be run again.
func (x *explorer) lose(found *Exploration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.result.lost = append(x.result.lost, found.Violations...)
}

// saveInTime saves the result if it is time. Large ones are saved less often, so that it takes
// no more than a small part of the time.
func (x *explorer) saveInTime() {
	const patience = 20
	began := time.Now()
	if x.options.Save == nil || began.Before(x.save) {
		return
	}
	x.result.finish()
	x.options.Save(x.result)
	now := time.Now()
	x.save = now.Add(max(x.options.SaveEvery, patience*now.Sub(began)))
}
