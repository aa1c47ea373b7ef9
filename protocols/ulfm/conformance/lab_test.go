package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/protocols/ulfm/conformance"
	"github.com/mangrove-emu/mangrove/report"
)

// detector is one that all cases are run with.
type detector struct {
	name string
	emu.Detection
}

// detectors are as fast as there can be, one that takes another time for each observer, and one by signs of
// life, which notices hangs, too.
var detectors = []detector{
	{"at once", emu.Detection{Delay: 4}},
	{"delayed by observer", emu.Detection{Delay: 4, Spread: 60}},
	{"heartbeat", emu.Detection{Delay: 60, Period: 50, Hangs: true}},
}

// lab runs one case with one detector.
type lab struct {
	c        *conformance.Case
	detector detector
	trial    *conformance.Trial
	machine  *emu.Machine
	rep      report.Report
	aborted  bool // the last run, which has left no report
}

// limit is when a program that goes on is taken to go on for ever.
const limit clock.Time = 200_000

func machineOf(c *conformance.Case) clock.LogP {
	return clock.LogP{Ranks: c.Ranks, Latency: 2, Overhead: 1}
}

func newLab(t testing.TB, c *conformance.Case, d detector) *lab {
	t.Helper()
	machine, err := emu.New(emu.Config{
		LogP:      machineOf(c),
		Detection: d.Detection, Trace: emu.TraceEvents, Workers: 1, TimeLimit: limit,
	})
	require.NoError(t, err)
	return &lab{c: c, detector: d, trial: conformance.NewTrial(c), machine: machine}
}

// ending is how a run has ended.
type ending struct {
	conformance.Ending
	why error // an abort, who waits for ever, or what is wrong with results
}

// run makes a run.
func (l *lab) run(schedule faults.Schedule) (ending, error) {
	l.trial.Forget()
	err := l.machine.RunInto(context.Background(), l.trial.Program(), emu.Options{Faults: schedule}, &l.rep)
	var aborted *ulfm.AbortError
	l.aborted = errors.As(err, &aborted)
	var endless *emu.TimeLimitError
	switch {
	case l.aborted:
		return ending{conformance.Aborts, aborted}, nil
	case errors.As(err, &endless):
		return ending{conformance.NeverEnds, endless}, nil
	case err != nil:
		return ending{}, err
	case len(l.rep.Deadlocks) > 0:
		return ending{conformance.Deadlocks, errors.New(l.waiting())}, nil
	}
	if err := l.trial.Judge(&l.rep); err != nil {
		return ending{conformance.Differs, err}, nil
	}
	return ending{}, nil
}

// waiting says who waits for what.
func (l *lab) waiting() string {
	var all []string
	for _, d := range l.rep.Deadlocks {
		all = append(all, fmt.Sprintf("rank %d in %s", d.Rank, l.trial.Waiting(d.Rank)))
	}
	return strings.Join(all, "; ")
}

// points are those of the last run. One that was aborted has left no report; there it is the first instants.
func (l *lab) points() [][]faults.Point {
	if !l.aborted {
		return search.Points(&l.rep)
	}
	all := make([][]faults.Point, l.c.Ranks)
	for rank := range all {
		for at := range clock.Time(30) {
			all[rank] = append(all[rank], faults.OnTime(at))
		}
	}
	return all
}

// rejoining starts all ranks anew that fail, in cases that are about that: one may fail later than in
// the case as it is, since others wait for the one that fails besides.
func (l *lab) rejoining(schedule faults.Schedule) faults.Schedule {
	for _, f := range schedule {
		for at := clock.Time(3000); f.Kind.Stops() && l.c.Explored.Rejoins && at < 12_000; at += 3000 {
			again := faults.Fault{Kind: faults.Rejoin, Rank: f.Rank, At: faults.OnTime(at)}
			if !slices.Contains(schedule, again) {
				schedule = append(schedule, again)
			}
		}
	}
	return schedule
}

// own is the schedule of the case.
func (l *lab) own() faults.Schedule { return faults.MustParse(l.c.Faults) }

// further lists all schedules with one more failure than the case has, at every point of every rank
// in the run of the case as it is.
func (l *lab) further() (all []faults.Schedule) {
	own := l.own()
	kinds := []faults.Kind{faults.Crash}
	if l.detector.Hangs {
		kinds = append(kinds, faults.Hang)
	}
	for rank, points := range l.points() {
		if x := l.c.Explored; x.None || x.Only != nil && !slices.Contains(x.Only, rank) {
			continue
		}
		for _, at := range points {
			for _, kind := range kinds {
				fault := faults.Fault{Kind: kind, Rank: rank, At: at}
				if slices.Contains(own, fault) {
					continue
				}
				all = append(all, l.rejoining(append(slices.Clone(own), fault)))
			}
		}
	}
	return all
}
