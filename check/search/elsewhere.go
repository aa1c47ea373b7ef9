package search

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// Elsewhere is other processes that take a share of a search. What a search finds does not depend on it.
type Elsewhere struct {
	Hands int // tasks they do at a time
	// Do has a task done: it takes it to an [Assistant] of the same search and brings back what that returns.
	Do func(ctx context.Context, task []byte) ([]byte, error)
}

// hands is how many tasks are done elsewhere at a time.
func (e *Elsewhere) hands() int {
	if e == nil {
		return 0
	}
	return e.Hands
}

// do has a task done that is known by what it consists of.
func (e *Elsewhere) do(ctx context.Context, task, into any) error {
	text, err := json.Marshal(task)
	if err != nil {
		return err
	}
	if text, err = e.Do(ctx, text); err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("search: what was found elsewhere: %w", err)
	}
	return nil
}

// Assistant does tasks of a search that goes on in another process. Any number of goroutines may have it do so.
type Assistant func(ctx context.Context, task []byte) ([]byte, error)

// assignment is a part of an exploration.
type assignment struct {
	Seed int `json:"seed"` // which one of the exploration's
	Part int `json:"part"`
	// Begun says that an earlier exploration has begun with it, and done so many of its followers.
	Begun bool `json:"begun,omitempty"`
	Done  int  `json:"done,omitempty"`
}

// workElsewhere has one part after the other explored elsewhere.
func (x *explorer) workElsewhere(ctx context.Context) error {
	for {
		i, ok := x.take()
		if !ok {
			return nil
		}
		var found Exploration
		if err := x.options.Elsewhere.do(ctx, x.assign(i), &found); err != nil {
			return err
		}
		found.restore()
		x.noteAll(i, &found)
	}
}

// assign makes a part something to be done.
func (x *explorer) assign(part int) assignment {
	x.mu.Lock()
	defer x.mu.Unlock()
	done, begun := x.result.Open[part]
	return assignment{x.result.Seed, part, begun, done}
}

// noteAll adds what was found in the rest of a part.
func (x *explorer) noteAll(part int, found *Exploration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.result.merge(found)
	x.meter.ranAll(found, x.shares[part])
	x.done(part)
}

// AssistExploration returns who explores parts of an exploration with these options.
func AssistExploration(s *Subject, options ExploreOptions) Assistant {
	options.Resume, options.Progress, options.Save, options.Elsewhere = nil, nil, nil, nil
	a := &assistant{subject: s, options: options, explorers: make(map[int]*seedExplorer)}
	return a.do
}

// assistant explores parts. What it needs for a seed it makes when the first part of that comes.
type assistant struct {
	subject *Subject
	options ExploreOptions

	mu        sync.Mutex
	explorers map[int]*seedExplorer
}

// seedExplorer explores parts for one seed.
type seedExplorer struct {
	once sync.Once
	*explorer
	err error

	runners spares[*runner]
}

func (a *assistant) do(ctx context.Context, task []byte) ([]byte, error) {
	var what assignment
	if err := json.Unmarshal(task, &what); err != nil {
		return nil, fmt.Errorf("search: a task: %w", err)
	}
	x := a.of(what.Seed)
	x.once.Do(func() {
		x.explorer, x.err = newExplorer(ctx, a.subject, a.options, &Exploration{Seed: what.Seed, Open: make(map[int]int), hashes: setOf(nil), cases: setOf(nil)}, newMeter(nil))
	})
	if x.err != nil {
		return nil, x.err
	}
	found, err := x.assist(ctx, what)
	if err != nil {
		return nil, err
	}
	return json.Marshal(found)
}

// of is the explorer for a seed, which may be yet to be made.
func (a *assistant) of(seed int) *seedExplorer {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.explorers[seed]
	if x == nil {
		x = new(seedExplorer)
		a.explorers[seed] = x
	}
	return x
}

// assist explores a part.
func (x *seedExplorer) assist(ctx context.Context, what assignment) (*Exploration, error) {
	if what.Part < 0 || what.Part >= len(x.first) {
		return nil, fmt.Errorf("search: part %d, want 0 to %d: it is of another exploration", what.Part, len(x.first)-1)
	}
	r, err := x.runners.take(x.newRunner)
	if err != nil {
		return nil, err
	}
	defer x.runners.giveBack(r)
	found := &rest{assignment: what, found: newExploration(1)}
	if err := x.part(ctx, r, what.Part, found); err != nil {
		return nil, err
	}
	found.found.finish()
	return found.found, nil
}

// rest is what is found in that of a part which is yet to be done.
type rest struct {
	assignment
	found *Exploration
}

func (r *rest) open(_ int, found *Exploration) int {
	if !r.Begun {
		r.found.merge(found)
	}
	return r.Done
}

func (r *rest) note(_, _ int, found *Exploration) { r.found.merge(found) }
func (r *rest) lose(*Exploration)                 {}
func (r *rest) close(int)                         {}

// ranAll counts all runs of a part.
func (m *meter) ranAll(found *Exploration, share float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Runs += found.Runs
	m.now.Covered = plus(m.now.Covered, found.Covered)
	m.now.Done += share
	for i := range found.Violations {
		m.broken[found.Violations[i].name()] = true
	}
}
