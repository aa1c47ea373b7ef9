package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/report/view"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// Runs on processes do not happen again, so what was recorded of them is read from a file, and not made anew from a line.

// recordedRun is the first line of a trace of processes: all that is shown of a run besides its events. The line says the rest.
type recordedRun struct {
	Line       string              `json:"line"`
	Processes  int                 `json:"processes"`
	ClockError time.Duration       `json:"clock_error_ns"`
	Faults     string              `json:"faults"` // after all draws
	Unfired    string              `json:"unfired"`
	Messages   int64               `json:"messages"`
	Colouring  clock.Time          `json:"colouring"`
	Quiescence clock.Time          `json:"quiescence"`
	Exit       clock.Time          `json:"exit"`
	Late       clock.Time          `json:"late"`
	Ranks      []report.RankResult `json:"ranks"`
	Failed     []report.Failure    `json:"failed"`
	Rejoined   []report.Rejoin     `json:"rejoined"`
	Unreached  []int               `json:"unreached"`
	Deadlocks  []report.Deadlock   `json:"deadlocks"`
	Figures    []scenarios.Detail  `json:"figures"`
	Notes      []string            `json:"notes"`
	Guarantees []guarantee.Verdict `json:"guarantees"`
}

// recordedLine is how that stands in the file.
type recordedLine struct {
	Run *recordedRun `json:"run"`
}

func newRecordedRun(o *scenarios.Outcome) *recordedRun {
	rep := o.Report
	return &recordedRun{
		o.Line, o.Processes, rep.ClockError, rep.Faults.String(), rep.Unfired.String(), rep.Messages, rep.Colouring, rep.Quiescence, rep.Exit, o.Late,
		rep.Ranks, rep.Failed, rep.Rejoined, rep.Unreached, rep.Deadlocks, o.Details, o.Notes, o.Guarantees,
	}
}

// outcome is what was recorded, without events.
func (r *recordedRun) outcome(run *scenarios.Run) (*scenarios.Outcome, error) {
	schedule, err := faults.Parse(r.Faults)
	if err != nil {
		return nil, err
	}
	unfired, err := faults.Parse(r.Unfired)
	if err != nil {
		return nil, err
	}
	if want := run.Config().Ranks; len(r.Ranks) != want {
		return nil, fmt.Errorf("results of %d ranks, want %d, as the line says", len(r.Ranks), want)
	}
	x := run.Config()
	return &scenarios.Outcome{
		Line: r.Line, Processes: r.Processes, Late: r.Late, Details: r.Figures, Notes: r.Notes, Guarantees: r.Guarantees,
		Network: x.Network, Unit: run.Settings().Unit(), Reduction: run.Experiment().Reduction,
		Report: &report.Report{
			LogP: x.LogP, Seed: run.Settings().Seed(), Faults: schedule, Unfired: unfired, Processes: true, ClockError: r.ClockError,
			Messages: r.Messages, Colouring: r.Colouring, Quiescence: r.Quiescence, Exit: r.Exit,
			Ranks: r.Ranks, Failed: r.Failed, Rejoined: r.Rejoined, Unreached: r.Unreached, Deadlocks: r.Deadlocks,
		},
	}, nil
}

// writeRecorded writes the events of a run on processes: with what the emulator makes of the same line beside it if the name of the file says
// that it is for viewers, else one a line, after one with all else.
func (a *app) writeRecorded(ctx context.Context, out *outFile, path string, run *scenarios.Run, outcome *scenarios.Outcome) error {
	if out == nil {
		return nil
	}
	if strings.HasSuffix(path, ".json") {
		emulated, err := run.Execute(ctx, scenarios.Options{Trace: emu.TraceEvents})
		if err != nil {
			return a.explain(ctx, run, err, runFlags{})
		}
		return failed(out.finish(writeBesideTimeline(out, run, outcome, emulated)))
	}
	err := json.NewEncoder(out).Encode(recordedLine{newRecordedRun(outcome)})
	if err == nil {
		err = report.WriteEvents(out, outcome.Report.Events, run.Experiment().Program.KindName)
	}
	return failed(out.finish(err))
}

// openRecording makes sure, before a run, that what is recorded of it can be written, if anything is.
func (a *app) openRecording(path string, json bool) (*outFile, error) {
	switch {
	case path == "":
		return nil, nil
	case path == "-" && json:
		return nil, errBothToStdout
	}
	return a.openOut("trace", path)
}

// besides are the measured and the emulated run of a line, as viewers are shown them.
func besides(run *scenarios.Run, measured, emulated *scenarios.Outcome) (m, e traceevent.Run) {
	kindName := run.Experiment().Program.KindName
	m, e = timelineOf(measured, kindName), timelineOf(emulated, kindName)
	m.Name, e.Name = "measured on "+processes(measured.Processes), "emulated"
	return m, e
}

func writeBesideTimeline(w io.Writer, run *scenarios.Run, measured, emulated *scenarios.Outcome) error {
	m, e := besides(run, measured, emulated)
	return traceevent.Write(w, m, e)
}

// recording is a word of 'view' that names a file and no protocol.
func (a *app) recording(words []string) (path string, ok bool) {
	if len(words) != 1 || strings.Contains(words[0], "=") {
		return "", false
	}
	for _, p := range a.registry {
		if p.Name == words[0] {
			return "", false
		}
	}
	info, err := os.Stat(words[0])
	if err != nil { // no protocol has such a name: whoever looks for the file says that it is not there
		return words[0], strings.ContainsAny(words[0], "./")
	}
	return words[0], info.Mode().IsRegular()
}

// readRecorded reads what writeRecorded has written as lines.
func (a *app) readRecorded(path string) (*scenarios.Run, *scenarios.Outcome, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, 1<<16)
	text, err := lines.ReadBytes('\n')
	var first recordedLine
	if err != nil || json.Unmarshal(text, &first) != nil || first.Run == nil {
		return nil, nil, fmt.Errorf("%s is no recording of a run; want a file that '%s launch --trace' has written, as lines", path, a.name)
	}
	run, err := a.registry.ParseLine(first.Run.Line)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	outcome, err := first.Run.outcome(run)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	outcome.Report.Events, err = readEvents(lines, run.Experiment().Program.KindName, run.Config().Ranks)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return run, outcome, nil
}

// readEvents reads events of so many ranks.
func readEvents(r io.Reader, kindName func(mailbox.Kind) string, ranks int) ([]report.Event, error) {
	events, err := report.ReadEvents(r, kindName)
	if err != nil {
		return nil, err
	}
	for i := range events {
		if e := &events[i]; e.Rank < 0 || e.Rank >= ranks || e.Peer < report.NoPeer || e.Peer >= ranks || e.Time < 0 {
			return nil, fmt.Errorf("event %d: %s, want ranks 0 to %d", i+1, e, ranks-1)
		}
	}
	return events, nil
}

// viewRecorded writes a page, or a timeline for viewers, of a run that was recorded, with the emulated one beside it.
func (a *app) viewRecorded(ctx context.Context, path string, f viewFlags) error {
	run, measured, err := a.readRecorded(path)
	if err != nil {
		return err
	}
	shown, err := f.shown(run.Config().Ranks)
	if err != nil {
		return err
	}
	page, err := a.openOut("page", f.out)
	if err != nil {
		return err
	}
	defer page.abandon()
	emulated, err := run.Execute(ctx, scenarios.Options{Trace: emu.TraceEvents})
	if err != nil {
		return a.explain(ctx, run, err, runFlags{})
	}
	write := func() error { return writeBesidePage(page, run, measured, emulated, shown) }
	if strings.HasSuffix(f.out, ".json") {
		write = func() error { return writeBesideTimeline(page, run, measured, emulated) }
	}
	if err := page.finish(write()); err != nil {
		return failure{err}
	}
	if err := printPage(a.beside(f.out), page.path, measured); err != nil {
		return err
	}
	return verdict(measured.Verdict())
}

func writeBesidePage(w io.Writer, run *scenarios.Run, measured, emulated *scenarios.Outcome, shown view.Range) error {
	m, e := besides(run, measured, emulated)
	b := bufio.NewWriterSize(w, 1<<16)
	err := view.WriteBeside(b,
		view.Run{Run: m, Ranks: shown, Rows: pageRows(measured), Guarantees: measured.Guarantees},
		view.Run{Run: e, Ranks: shown, Rows: pageRows(emulated), Guarantees: emulated.Guarantees})
	return errors.Join(err, b.Flush())
}
