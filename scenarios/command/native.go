package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/beside"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/scenarios/stats"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// nativeKey is the word of a line that asks for what the MPI library has of its own. It is none of the line itself: nothing else knows such a library.
const nativeKey = "native"

// sameNative stands for the operation that does what the line does.
const sameNative = "same"

// How many turns the two take.
const (
	usualTurns = 10
	mostTurns  = 10_000
)

// noEngine is why there is nothing to compare with.
func (a *app) noEngine() error {
	return errors.New(a.name.in("native=...: there is no MPI library here; want mpirun -n N mangrove join ..., with a program that was built for MPI"))
}

// takeNative takes the word out of a line. The operation is "" if there is none.
func takeNative(words []string) (operation string, rest []string, err error) {
	found := 0
	for _, word := range line.Fields(words) {
		value, ok := strings.CutPrefix(word, nativeKey+"=")
		if !ok {
			rest = append(rest, word)
			continue
		}
		found++
		operation = strings.TrimPrefix(strings.ToLower(value), "mpi_")
		if operation == "" {
			return "", nil, fmt.Errorf("%s: want %s, or the name of an MPI operation, such as bcast", word, sameNative)
		}
	}
	switch {
	case found > 1:
		return "", nil, fmt.Errorf("%s is set twice", nativeKey)
	case found == 0:
		return "", words, nil
	}
	return operation, rest, nil
}

// joinBeside runs a line on the processes of the job, and by turns what the library has of its own.
func (a *app) joinBeside(ctx context.Context, native string, words []string, f joinFlags) error {
	switch {
	case a.engine == nil:
		return a.noEngine()
	case f.trace != "":
		return fmt.Errorf("--trace %s: want it without native=..., which has many runs", f.trace)
	}
	run, err := a.unpacedLine(words, &f)
	if err = a.agree(err); err != nil {
		return err
	}
	processes := a.job.Count()
	theirs, operation, err := beside.Native(a.engine, run, processes)
	if err != nil {
		return fmt.Errorf("native=%s: %w", native, err)
	}
	if name := strings.ToLower(operation.Operation); native != sameNative && native != name {
		return fmt.Errorf("native=%s: want %s, or %s, which does what this line does", native, sameNative, name)
	}
	ours := func(ctx context.Context) (*scenarios.Outcome, error) {
		return launch.JoinJob(ctx, run, a.jobOptions(f, true))
	}
	library := func(ctx context.Context) (*scenarios.Outcome, error) {
		defer a.endStuck(ctx, f.Timeout, "MPI_"+operation.Operation)()
		return launch.JoinJob(ctx, theirs, a.jobOptions(f, true))
	}
	result, err := beside.Compare(ctx, beside.Options{Turns: f.turns, Ours: ours, Native: library, Agree: a.agree})
	switch {
	case err != nil:
		return a.againInJob(f).failed(ctx, fmt.Sprintf("%s native=%s", run, native), err)
	case result == nil:
		return nil
	}
	shown := besideOutcome{run.String(), operation, result}
	if f.json {
		err = printJSON(a.stdout, shown.json())
	} else {
		err = a.printBeside(shown)
	}
	if err == nil && result.Broken != nil {
		err = a.printBroken(result.Broken, a.againInJob(f).run(fmt.Sprintf("%s native=%s", run, native)), f.json)
	}
	if err != nil {
		return err
	}
	return verdict(result.Series.Verdict())
}

// printBroken prints what was broken first: beside JSON, where it does not get into the way.
func (a *app) printBroken(outcome *scenarios.Outcome, again string, besideJSON bool) error {
	w := a.stdout
	if besideJSON {
		w = a.stderr
	} else {
		fmt.Fprintln(w)
	}
	return printReport(w, outcome, "", again)
}

// unpacedLine reads a line that is to be as fast as it can be, since a library has no model to keep to; but one with deadlines keeps to its own, unless somebody says
// otherwise, so that lateness is noticed.
func (a *app) unpacedLine(words []string, f *joinFlags) (*scenarios.Run, error) {
	usual, processes := f.Pace, a.job.Count()
	if !f.paceTyped {
		f.Pace = tcp.Free
	}
	run, err := a.launchLine(words, &processes, f.Pace)
	if err == nil && !onlyReadsClock(run) && !f.paceTyped {
		f.Pace = usual
	}
	return run, err
}

// besideOutcome is a line beside the library's own.
type besideOutcome struct {
	line string
	beside.Operation
	*beside.Result
}

func (a *app) printBeside(o besideOutcome) error {
	w := a.stdout
	name := "MPI_" + o.Operation.Operation
	fmt.Fprintf(w, "%s\nby turns with %s of %s in %s, on %s; %s\n\n", o.line, name, text.Count(o.Bytes, "byte"), o.Library, processes(o.Processes), text.Count(len(o.Turns), "turn"))
	within := line.Within(o.Series.ClockError)
	fmt.Fprintf(w, "%-22s %10s %20s %10s %10s %6s\n", "us"+within, "median", "quartiles", "lowest", "highest", "calls")
	for _, row := range []struct {
		name  string
		times *stats.Sample
	}{{"ours", &o.Ours}, {name, &o.Native}} {
		if row.times.Len() == 0 {
			fmt.Fprintf(w, "%-22s %10s\n", row.name, "-")
			continue
		}
		us := func(ns float64) string { return line.Decimals(ns / 1000) }
		quartiles := fmt.Sprintf("%s to %s", us(row.times.Percentile(25)), us(row.times.Percentile(75)))
		fmt.Fprintf(w, "%-22s %10s %20s %10s %10s %6d\n", row.name, us(row.times.Median()), quartiles, us(row.times.Min()), us(row.times.Max()), row.times.Len())
	}
	if o.Ratio != (calibration.Quantity{}) {
		fmt.Fprintf(w, "%-22s %10.2f  from %.2f to %.2f in turns\n", "ours / "+name, o.Ratio.Value, o.Ratio.Low, o.Ratio.High)
	}
	s := &o.Series
	_, err := fmt.Fprintf(w, "\nours: %s, %d broken, %d too late to judge, %d not claimed, %s\n", text.Count(s.Runs, "run"), s.Broken, s.TooLate, s.Unjudged, text.Count(s.Failed, "failed rank"))
	return err
}

// json is all of it, in nanoseconds.
func (o besideOutcome) json() any {
	type sample struct {
		Median float64 `json:"median"`
		Lower  float64 `json:"lower_quartile"`
		Upper  float64 `json:"upper_quartile"`
		Lowest float64 `json:"lowest"`
		Most   float64 `json:"highest"`
		Calls  int     `json:"calls"`
	}
	of := func(s *stats.Sample) *sample {
		if s.Len() == 0 {
			return nil
		}
		return &sample{s.Median(), s.Percentile(25), s.Percentile(75), s.Min(), s.Max(), s.Len()}
	}
	type turn struct {
		Ours   []float64 `json:"ours_ns"`
		Native []float64 `json:"native_ns"`
	}
	var turns []turn
	for _, t := range o.Turns {
		turns = append(turns, turn{slices.Clip(t.Ours), slices.Clip(t.Native)})
	}
	return struct {
		Line       string          `json:"line"`
		Processes  int             `json:"processes"`
		Library    string          `json:"library"`
		Operation  string          `json:"operation"`
		Bytes      int             `json:"bytes"`
		Ours       *sample         `json:"ours_ns"`
		Native     *sample         `json:"native_ns"`
		Ratio      []float64       `json:"ratio"` // median, lowest, highest
		ClockError int64           `json:"clock_error_ns"`
		Verdict    guarantee.Value `json:"verdict"`
		Turns      []turn          `json:"turns"`
	}{o.line, o.Processes, o.Library, "MPI_" + o.Operation.Operation, o.Bytes, of(&o.Ours), of(&o.Native),
		[]float64{o.Ratio.Value, o.Ratio.Low, o.Ratio.High}, int64(o.Series.ClockError), o.Series.Verdict(), turns}
}
