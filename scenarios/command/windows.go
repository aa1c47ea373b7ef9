package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// meter measures what the windows of a run take, on each process of a job.
type meter struct {
	group *parts.Measured // nil if this process is alone
	costs []parts.Cost    // of all processes, when the run is over
}

// measureWindows has a run measured, if that was asked for.
func (f *runFlags) measureWindows(a *app, opts *scenarios.Options) *meter {
	switch {
	case !f.windows:
		return nil
	case a.job == nil:
		return new(meter)
	}
	m := &meter{group: parts.Measure(a.job)}
	opts.Part = m.group
	return m
}

// gather tells all processes what each has spent.
func (m *meter) gather() error {
	if m == nil || m.group == nil {
		return nil
	}
	own, err := json.Marshal(m.group.Cost)
	if err != nil {
		return err
	}
	in, err := m.group.Group.Exchange(slices.Repeat([][]byte{own}, m.group.Count()))
	if err != nil {
		return err
	}
	m.costs = make([]parts.Cost, len(in))
	for i := range in {
		if err := json.Unmarshal(in[i], &m.costs[i]); err != nil {
			return fmt.Errorf("what process %d has spent: %w", i, err)
		}
	}
	return nil
}

// print says what was measured, in a line that begins as that of the report does: both differ from run to run.
func (m *meter) print(w io.Writer, rep *report.Report) error {
	if m == nil {
		return nil
	}
	line := fmt.Sprintf("measured: %s on ", text.Count(rep.Windows, "window"))
	if m.group == nil {
		line += fmt.Sprintf("one process, %s each", (rep.Wall / time.Duration(max(1, rep.Windows))).Round(time.Microsecond))
	} else {
		line += fmt.Sprintf("%d processes; each of them: %s", len(m.costs), m.spent())
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// spent is what each process has spent.
func (m *meter) spent() string {
	took := func(of func(parts.Cost) time.Duration) string {
		return span(m.costs, func(c parts.Cost) time.Duration { return of(c).Round(10 * time.Microsecond) })
	}
	return fmt.Sprintf("work %s, waiting for others %s, agreement %s, exchange %s, %s bytes to others",
		took(func(c parts.Cost) time.Duration { return c.Work }),
		took(func(c parts.Cost) time.Duration { return c.Waiting }),
		took(func(c parts.Cost) time.Duration { return c.Agreement }),
		took(func(c parts.Cost) time.Duration { return c.Exchange }),
		span(m.costs, func(c parts.Cost) int64 { return c.Bytes }))
}

// span is the least and the most of something.
func span[T cmp.Ordered](costs []parts.Cost, of func(parts.Cost) T) string {
	least, most := of(costs[0]), of(costs[0])
	for _, c := range costs[1:] {
		least, most = min(least, of(c)), max(most, of(c))
	}
	if least == most {
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%v to %v", least, most)
}
