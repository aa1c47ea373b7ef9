package command

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/mangrove-emu/mangrove/protocols/calibration"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// calibrateJob calibrates the processes of an MPI job. The first one does all that one alone would do, and the others run what it tells them.
func (a *app) calibrateJob(ctx context.Context, flags *pflag.FlagSet, words []string, f calibrateFlags) error {
	if err := a.refuseInJob(flags, f); err != nil {
		return err
	}
	if err := f.checkListen(); err != nil {
		return err
	}
	o := launch.JobOptions{
		Carrier: a.carrier, Doomed: a.doomed, Listen: f.Listen, Eager: true, Timeout: f.Timeout,
		Log: func(line string) { fmt.Fprintln(a.stderr, line) },
	}
	if a.silent() {
		return failed(launch.Follow(ctx, a.job, a.registry, o))
	}
	leader := launch.Lead(a.job, o)
	f.Processes = a.job.Count()
	err := a.calibrate(ctx, words, f, realMachine{
		name: jobName(mpi.Library()), start: []string{"mpirun", "-n", fmt.Sprint(f.Processes), string(a.name), "calibrate"},
		source: calibration.SameProcesses, largest: f.Processes, run: leader.Run,
	})
	return cmp.Or(err, failed(leader.Close()))
}

// jobName is what readers are told that a job is, of that library.
func jobName(library string) string {
	if library == "" {
		return "an MPI job"
	}
	return "an MPI job, " + library
}

// refuseInJob refuses flags about processes that are started for the purpose.
func (a *app) refuseInJob(flags *pflag.FlagSet, f calibrateFlags) error {
	if flags.Changed("processes") {
		return fmt.Errorf("-n %d: the processes of this MPI job are calibrated, all %d of them; want mpirun -n %d, and no other -n", f.Processes, a.job.Count(), f.Processes)
	}
	for _, name := range []string{"hosts", "ssh", "agent", "encrypt"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s: the processes of this MPI job are there already, and talk through the MPI library; want it without mpirun only", name)
		}
	}
	return nil
}
