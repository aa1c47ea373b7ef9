package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/internal/wholefile"
	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

const calibrateHelp = `Measure L, o, g and G between two processes of this host, or on two --hosts, and
write a machine file. Lines with machine=FILE take these values then, in ticks
of a nanosecond, and 'mangrove launch --compare' shows how well they fit.

All is measured six times (--times), each with new processes. A value is the
median of what they find, and its interval goes from the lowest to the highest.
If that of L or o reaches 0, the two cannot be separated: then only 2o+L and the
spacing of sends are known, and the file has these.

With --compare, 20 broadcasts (four trees, 2 to 64 processes, payloads up to a
megabyte) are run on processes and on the emulator with the file, each --times
times; use -n 64 then. --plot draws their ratios.

In an MPI job its processes are measured, and what they send goes through the
MPI library, if this program was built for it. They stay the same for all times,
so that intervals do not say what other processes would find. Broadcasts of more
ranks than the job has processes are left out.

With -n 4 or more, one process asks all others at once at the end. If they
are in each other's way, because they share a few processors, the file has a
network with contention, network=switch:S.

Words are those of the protocol calibration, such as rounds=5000. Between two
round trips there are 5 ms unless one of them is pause=...: processes that have
slept, as they do before most messages of a broadcast, take longer to receive.`

// An interval from the lowest to the highest of six misses in 1 of 32 cases.
const (
	usualTimes = 6
	mostTimes  = 100
)

// usualPause is long enough for processes to fall asleep.
const usualPause = "pause=5ms"

func (a *app) calibrateCommand() *cobra.Command {
	f := calibrateFlags{times: usualTimes, out: "machine.toml"}
	f.Processes, f.Timeout = 2, time.Minute
	cmd := &cobra.Command{
		Annotations: map[string]string{sharable: "yes"},
		Use:         "calibrate [WORD...]",
		Short:       "Measure L, o, g and G of a real network, and write a machine file",
		Long:        calibrateHelp,
		Example: `  mangrove calibrate
  mangrove run broadcast P=64 machine=machine.toml
  mangrove calibrate rounds=5000 --hosts a,b --listen 10.0.0.1:0 --out rack.toml
  mangrove calibrate -n 64 --compare --plot tcp.svg
  mpirun -n 64 mangrove calibrate --compare --plot mpi.svg`,
		RunE: func(cmd *cobra.Command, words []string) error {
			f.typed = typedFlags(cmd.Flags(), "processes")
			if a.job != nil {
				return a.calibrateJob(cmd.Context(), cmd.Flags(), words, f)
			}
			if err := f.complete(a); err != nil {
				return err
			}
			return a.calibrate(cmd.Context(), words, f, f.launched(a.name))
		},
	}
	cmd.Flags().VarP(number(&f.Processes, 2, maxProcesses), "processes", "n", "measure with `n` processes")
	cmd.Flags().Var(number(&f.times, 1, mostTimes), "times", "measure `n` times, each with new processes")
	cmd.Flags().Var(named(&f.out, "the name of a file"), "out", "write the machine to `file`")
	cmd.Flags().BoolVar(&f.force, "force", false, "write the file even if it exists")
	cmd.Flags().BoolVar(&f.compare, "compare", false, "run 20 broadcasts on processes and on the emulator, too")
	cmd.Flags().Var(pictures(&f.plots), "plot", "draw ratios in `file`, .svg or .png; may be repeated")
	f.registerHosts(cmd)
	return cmd
}

type calibrateFlags struct {
	launchFlags // where processes are
	times       int
	out         string
	force       bool
	plots       []string
}

func (a *app) calibrate(ctx context.Context, words []string, f calibrateFlags, m realMachine) error {
	if !hasKey(words, "pause") {
		words = append(slices.Clone(words), usualPause)
	}
	run, err := a.registry.Parse(slices.Concat([]string{"calibration", fmt.Sprintf("P=%d", f.Processes), "tick=1ns"}, words))
	if err != nil {
		return err
	}
	if err := f.checkOut(); err != nil {
		return err
	}
	if f.compare && strings.ContainsFunc(f.out, unicode.IsSpace) {
		return fmt.Errorf("--out '%s' with --compare: blanks separate the words of the lines that are compared; want a name without", f.out)
	}
	if len(f.plots) > 0 && !f.compare {
		return errors.New("--plot without --compare: there is nothing to draw")
	}
	pictures, err := canDraw(f.plots)
	if err != nil {
		return err
	}
	estimate, err := f.measure(ctx, run, words, m)
	if err != nil {
		return err
	}
	if err := a.keepMachine(estimate, f.Processes, f.out, f.command(words, m)); err != nil || !f.compare {
		return err
	}
	return a.compareWith(ctx, f, m, pictures, f.command(words, m))
}

// command is what was measured with, as far as it matters to what was found.
func (f *calibrateFlags) command(words []string, m realMachine) string {
	command := slices.Concat(m.start, words)
	if f.times != usualTimes {
		command = append(command, fmt.Sprintf("--times %d", f.times))
	}
	if f.Encrypt {
		command = append(command, "--encrypt")
	}
	return strings.Join(command, " ")
}

// measure runs a calibration as often as the flags say, each time with processes of its own if the machine can have them: what differs between
// those, such as which processors they are on, is part of what is not known.
func (f *calibrateFlags) measure(ctx context.Context, run *scenarios.Run, words []string, m realMachine) (calibration.Estimate, error) {
	var estimates []calibration.Estimate
	for range f.times {
		outcome, err := m.run(ctx, run)
		if err != nil {
			return calibration.Estimate{}, again{command: m.start, typed: f.typed}.failed(ctx, strings.Join(words, " "), err)
		}
		estimate, ok := catalog.Calibrated(run)
		if !ok || outcome.Verdict() != guarantee.Held {
			return calibration.Estimate{}, failure{errors.New("too little was measured for an estimate")}
		}
		estimates = append(estimates, estimate)
	}
	return calibration.Together(estimates, m.source), nil
}

// keepMachine writes the file of a machine that was measured by a command, and prints what is known of it.
func (a *app) keepMachine(estimate calibration.Estimate, ranks int, path, command string) error {
	file := catalog.MachineOf(estimate, ranks)
	file.Comment = "measured by: " + command + "\n" + file.Comment
	text, err := file.Marshal()
	if err == nil {
		err = wholefile.Write(path, text)
	}
	if err != nil {
		return failure{fmt.Errorf("cannot write the machine to %s: %w", path, unwritten(err))}
	}
	for _, figure := range catalog.CalibrationDetails(estimate, file.Tick) {
		printRow(a.stdout, figure.Name, "%s", figure.Text)
	}
	fmt.Fprintf(a.stdout, "\n%s: tick=1ns L=%d o=%d g=%d G=%d", path, file.Latency, file.Overhead, file.Gap, file.PerByte)
	if file.Network != "" {
		fmt.Fprintf(a.stdout, " network=%s", file.Network)
	}
	fmt.Fprintln(a.stdout)
	return nil
}

// checkOut refuses to write over a file, and makes sure that it can be written at all before
// anything is measured.
func (f *calibrateFlags) checkOut() error {
	if _, err := os.Stat(f.out); err == nil && !f.force {
		return fmt.Errorf("--out %s: the file exists; want another name, or --force", f.out)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--out %s: %w", f.out, err)
	}
	path, err := wholefile.Check(f.out)
	if err != nil {
		return fmt.Errorf("--out %s: %w", f.out, err)
	}
	f.out = path
	return nil
}
