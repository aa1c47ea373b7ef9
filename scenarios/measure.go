package scenarios

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
)

// Means are the averages of many runs of one line, and the latest of some instants.
type Means struct {
	Runs       int     `json:"runs"`
	Messages   float64 `json:"messages"`
	Coloring   float64 `json:"coloring"`
	Quiescence float64 `json:"quiescence"`
	Exit       float64 `json:"exit"`      // when the last program returned
	RootExit   float64 `json:"root_exit"` // when that of rank 0 did
	Unreached  float64 `json:"unreached"` // share of live ranks

	MostColoring clock.Time `json:"most_coloring"`
	MostExit     clock.Time `json:"most_exit"`
}

// Measure runs a line with so many seeds, counted from the first, on all processors. The line
// has no seed of its own.
func Measure(ctx context.Context, line string, runs int, first uint64) (Means, error) {
	if runs < 1 {
		return Means{}, fmt.Errorf("scenarios: %d runs, want 1 or more", runs)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sums := make([]Means, runtime.GOMAXPROCS(0))
	errs := make([]error, len(sums))
	var next atomic.Int64
	var wait sync.WaitGroup
	for i := range sums {
		wait.Go(func() {
			if errs[i] = sums[i].run(ctx, line, first, runs, &next); errs[i] != nil {
				cancel(errs[i]) // the others need not go on
			}
		})
	}
	wait.Wait()
	var all Means
	for i := range sums {
		all.join(&sums[i])
	}
	return all.over(runs), errors.Join(errs...)
}

// run adds up runs until all have been taken.
func (m *Means) run(ctx context.Context, line string, first uint64, runs int, next *atomic.Int64) error {
	executor := NewExecutor(Options{Workers: 1, Trace: emu.TraceOff})
	for {
		n := next.Add(1) - 1
		if n >= int64(runs) {
			return nil
		}
		run, err := ParseLine(fmt.Sprintf("%s seed=%d", line, first+uint64(n)))
		if err != nil {
			return err
		}
		outcome, err := executor.Execute(ctx, run)
		if err != nil {
			return err
		}
		m.add(outcome.Report)
	}
}

func (m *Means) add(rep *emu.Report) {
	m.join(&Means{
		Runs:       1,
		Messages:   float64(rep.Messages),
		Coloring:   float64(rep.Coloring),
		Quiescence: float64(rep.Quiescence),
		Exit:       float64(rep.Exit),
		RootExit:   float64(rep.Ranks[0].Exit),
		Unreached:  float64(len(rep.Unreached)) / float64(len(rep.Ranks)-len(rep.Failed)),

		MostColoring: rep.Coloring,
		MostExit:     rep.Exit,
	})
}

// join adds other sums. Counts and ticks are whole numbers, so the order does not matter to
// them; Unreached may differ in its last digits.
func (m *Means) join(other *Means) {
	m.Runs += other.Runs
	m.Messages += other.Messages
	m.Coloring += other.Coloring
	m.Quiescence += other.Quiescence
	m.Exit += other.Exit
	m.RootExit += other.RootExit
	m.Unreached += other.Unreached
	m.MostColoring = max(m.MostColoring, other.MostColoring)
	m.MostExit = max(m.MostExit, other.MostExit)
}

// over turns sums into means.
func (m Means) over(runs int) Means {
	for _, sum := range []*float64{&m.Messages, &m.Coloring, &m.Quiescence, &m.Exit, &m.RootExit, &m.Unreached} {
		*sum /= float64(runs)
	}
	return m
}
