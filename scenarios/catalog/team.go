package catalog

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/collective"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// computation is something that a team of ranks computes.
type computation[T any] struct {
	options collective.Options
	// run computes, and returns the results of this rank's tasks, of those that have one.
	run func(t *collective.Team) (map[int]T, error)
	// has says whether a task has a result.
	has func(task int) bool
	// wrong says what is wrong with the result of a task; "" if nothing is.
	wrong func(task int, got T) string
	// details show the results, of whoever has them. Optional.
	details func(results map[int]T) []scenarios.Detail
}

// share is what one rank has of a computation.
type share[T any] struct {
	Done     bool
	Error    string     // with which it came to its end; "" if with none
	At       clock.Time // when
	Attempts int
	Tasks    []int
	Results  map[int]T
	Spans    []activity
	// Waiting is what the diary says of the rank, if that was kept in another process.
	Waiting string
}

// activity is what a rank has spent time on, and in which attempt.
type activity struct {
	collective.Span
	Attempt int
}

// teamwork is a computation while it is run.
type teamwork[T any] struct {
	computation[T]
	strategy strategy
	delay    clock.Time // to begin again
	detector emu.Detection
	unit     line.Unit
	shares   []share[T]
	diary    *ulfm.Diary
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
		computation: c, strategy: teamStrategies.Of(s, "strategy"), delay: s.Ticks("restart"), unit: s.Unit(),
		detector: detector, shares: make([]share[T], s.Int("P")), diary: ulfm.NewDiary(s.Int("P")),
	}
	w.options.Strategy = w.strategy.collective
	w.options.Observe = func(rank int, spent collective.Span) {
		own := &w.shares[rank]
		own.Spans = append(own.Spans, activity{spent, own.Attempts})
	}
	return scenarios.Experiment{
		Detection: detector,
		Program:   w.diary.Program(w.main),
		Timing:    onAnyNetwork,
		Checks:    w.promises(),
		Reduction: true,
		State:     w.state(),
		Measures:  scenarios.Measures{Details: w.all, Completion: w.completion},
	}, nil
}

// main is what each rank does. Whoever leaves early revokes, so that nobody waits for it.
func (w *teamwork[T]) main(world *ulfm.Comm) {
	own := &w.shares[world.Rank()]
	var team *collective.Team
	attempt := func(t *collective.Team) (err error) {
		team = t
		own.Attempts++
		own.Results, err = w.run(t)
		return err
	}
	var err error
	if w.strategy.restart {
		_, err = collective.Restart(world, w.options, w.delay, attempt)
	} else if err = attempt(collective.NewTeam(world, w.options)); err != nil {
		team.Comm().Revoke()
	}
	if err != nil {
		own.Error = err.Error()
	}
	own.Done, own.At, own.Tasks = true, world.Proc().Now(), team.Mine()
}

// promises are the guarantees of computations.
func (w *teamwork[T]) promises() []guarantee.Guarantee {
	result := guarantee.Func("results are those of a run without failures", false, w.judge)
	waits := guarantee.Guarantee(guarantee.NoDeadlock{})
	terms := func(run guarantee.Run) (met bool, whyNot string) { return detectable(run, w.detector) }
	if w.strategy.collective == collective.Plain {
		result = guarantee.When(nobodyFailed, result)
	}
	return []guarantee.Guarantee{guarantee.When(terms, result), guarantee.When(terms, waits), guarantee.Integrity{}}
}

// detectable is met if the detector notices all failures, and only these.
func detectable(run guarantee.Run, d emu.Detection) (met bool, whyNot string) {
	for _, f := range run.Report.Failed {
		if f.Outcome == report.Hung && !d.Hangs {
			return false, fmt.Sprintf("the failure detector does not notice that %s", f)
		}
	}
	if d.Slow && run.Report.Faults.Has(faults.Slow) {
		return false, "the failure detector takes slow ranks for failed"
	}
	return true, ""
}

// nobodyFailed is met if that is so.
func nobodyFailed(run guarantee.Run) (met bool, whyNot string) {
	if len(run.Report.Failed) == 0 {
		return true, ""
	}
	return false, fmt.Sprintf("plain operations end with an error if a rank fails (%s)", run.Report.Failed[0])
}

// judge looks at the results of all live ranks. A rank that has failed took those of its tasks
// with it.
func (w *teamwork[T]) judge(run guarantee.Run) (held bool, evidence string) {
	checked, live := 0, 0
	for rank := range run.Report.Live() {
		live++
		if wrong := w.flaw(&w.shares[rank]); wrong != "" {
			return false, fmt.Sprintf("rank %d: %s", rank, wrong)
		}
		checked += len(w.shares[rank].Results)
	}
	switch {
	case live == 0:
		return true, "no rank is left"
	case checked == 0:
		return true, "the rank that had the result failed at the end"
	}
	return true, fmt.Sprintf("%s of %s checked", text.Count(checked, "result"), text.Count(live, "live rank"))
}

// flaw says what is wrong with what a live rank has; "" if nothing is.
func (w *teamwork[T]) flaw(own *share[T]) string {
	switch {
	case !own.Done:
		return "it has not come to the end"
	case own.Error != "":
		return own.Error
	}
	for _, task := range own.Tasks {
		got, has := own.Results[task]
		if has != w.has(task) {
			return fmt.Sprintf("task %d has no result", task)
		}
		if has {
			if wrong := w.wrong(task, got); wrong != "" {
				return fmt.Sprintf("task %d: %s", task, wrong)
			}
		}
	}
	return ""
}
