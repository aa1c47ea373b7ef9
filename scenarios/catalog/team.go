package catalog

import (
	"sync"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// computation is something that a team of ranks computes.
type computation[T any] struct {
	options collective.Options
	// run computes, and returns the results of this rank's tasks, of those that have one.
	run func(t *collective.Team) (results[T], error)
	// has says whether a task has a result.
	has func(task int) bool
	// wrong says what is wrong with the result of a task; "" if nothing is.
	wrong func(task int, got T) string
	// together says what is wrong with the results of all tasks that live ranks have; "" if nothing is. Optional.
	together func(results map[int]T) string
	// details show the results, of whoever has them. Optional.
	details func(results map[int]T) []scenarios.Detail
	// answer is for queries: what they have returned, of whoever has it. Optional.
	answer func(results map[int]T) *scenarios.Answer
	// data and perPeer are how many bytes of data a rank has, about, and how many for each other one.
	data, perPeer int64
}

// share is what one rank has of a computation.
type share[T any] struct {
	Done     bool
	Spare    bool       // it was started anew, and nobody has needed it so far
	Error    string     // with which it came to its end; "" if with none
	At       clock.Time // when
	Attempts int
	Tasks    []int
	Results  results[T]
	Moved    map[int]int // tasks that were taken over, and who has them now, as this rank knows; not to be changed
	Gone     []int       // ranks that have left the team, as it knows; not to be changed
	Spans    []activity
	// Note is what the diary says of the rank, if that was kept in another process.
	Note *ulfm.Note
}

// activity is what a rank has spent time on, and in which attempt.
type activity struct {
	collective.Span
	Attempt int
}

// teamwork is a computation while it is run.
type teamwork[T any] struct {
	computation[T]
	strategy  strategy
	delay     clock.Time // to begin again
	detector  emu.Detection
	agreement ulfm.Agreement
	seed      uint64
	unit      line.Unit
	ranks     int
	shares    []share[T] // none before the first run, as of the diary
	diary     *ulfm.Diary
	ending    *scenarios.Ending // of the run, where it is known

	mu       sync.Mutex
	outcomes map[collective.Past]outcome
}

// outcome is which tasks were taken over, and who has left.
type outcome struct {
	moved map[int]int
	gone  []int
}

// buildTeam makes an experiment of a computation.
func buildTeam[T any](s line.Settings, c computation[T]) (scenarios.Experiment, error) {
	if err := checkTasks(s); err != nil {
		return scenarios.Experiment{}, err
	}
	detector, err := detection(s, detectors.Of(s, "detector"))
	if err != nil {
		return scenarios.Experiment{}, err
	}
	w := &teamwork[T]{
		computation: c, strategy: teamStrategies.Of(s, "strategy"), delay: s.Ticks("restart"), seed: s.Seed(), unit: s.Unit(),
		detector: detector, agreement: agreements.Of(s, "agreement"), ranks: s.Int("P"), diary: new(ulfm.Diary),
		outcomes: make(map[collective.Past]outcome),
	}
	w.options.Strategy = w.strategy.collective
	w.options.Observe = func(rank int, spent collective.Span) {
		own := &w.shares[rank]
		if own.Spans == nil {
			own.Spans = make([]activity, 0, 4) // an operation with a failure in the first agreement; without any it has three
		}
		own.Spans = append(own.Spans, activity{spent, own.Attempts})
	}
	return scenarios.Experiment{
		Seeded:    true, // their data are drawn, or who is late
		Rejoins:   w.strategy.respawn,
		Detection: detector,
		Program:   ulfmOptions(s, w.diary).Program(w.main),
		Timing:    onAnyNetwork,
		Promises:  w.promises(),
		Reduction: true,
		State:     w.state(),
		Memory:    memoryOfTeam[T](c.data + c.perPeer*int64(s.Int("P"))),
		Measures:  scenarios.Measures{Details: w.all, Answer: w.answered, Completion: w.completion},
	}, nil
}

// main is what each rank does.
func (w *teamwork[T]) main(world *ulfm.Comm) {
	p := world.Proc()
	own := &w.shares[p.Rank()]
	if p.Life() > 0 {
		*own = share[T]{Spare: true} // what it had is lost, and it may not be needed any more
	}
	team, err := w.attempts(world, own)
	if err != nil {
		own.Error = err.Error()
	}
	own.Done, own.At, own.Tasks = true, world.Proc().Now(), team.Mine()
	own.Moved, own.Gone = w.outcome(team.Past())
}

// attempts computes until there is a result or an error. Whoever leaves early revokes, so that nobody waits for it.
func (w *teamwork[T]) attempts(world *ulfm.Comm, own *share[T]) (team *collective.Team, err error) {
	if w.strategy.restart || w.strategy.respawn {
		return w.restart(world, own)
	}
	team = w.team(world)
	if err = w.attempt(team, own); err != nil {
		team.Comm().Revoke()
	}
	return team, err
}

// team and restart are functions of their own so that options, which are long, are not on the stack of every rank all the time.
//
//go:noinline
func (w *teamwork[T]) team(world *ulfm.Comm) *collective.Team {
	return collective.NewTeam(world, w.options)
}

//go:noinline
func (w *teamwork[T]) restart(world *ulfm.Comm, own *share[T]) (team *collective.Team, err error) {
	again := collective.Restart
	if w.strategy.respawn {
		again = collective.Respawn
	}
	_, err = again(world, w.options, w.delay, func(t *collective.Team) error {
		team = t
		return w.attempt(t, own)
	})
	return team, err
}

func (w *teamwork[T]) attempt(team *collective.Team, own *share[T]) (err error) {
	own.Attempts++
	own.Spare = false
	own.Results, err = w.run(team)
	return err
}

// outcome is what a past says. Ranks share it, as they have the past itself in common.
func (w *teamwork[T]) outcome(p collective.Past) (moved map[int]int, gone []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.outcomes[p]; !known {
		w.outcomes[p] = outcome{p.TakenOver(), p.Gone()}
	}
	return w.outcomes[p].moved, w.outcomes[p].gone
}
