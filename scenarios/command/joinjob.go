package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// joinsByAddress reports whether a command line is that of a process that finds the others by their addresses, whoever has started it: some joins, and
// what a launcher starts, which may itself be the one process of an MPI job.
func joinsByAddress(args []string) bool {
	if len(args) == 0 || args[0] != "join" {
		return len(args) > 0 && (args[0] == "worker" || args[0] == "agent")
	}
	return slices.ContainsFunc(args, func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return name == "--peers" || name == "--make-key"
	})
}

// joinJob takes part in a run whose processes are those of an MPI job.
func (a *app) joinJob(ctx context.Context, words []string, f joinFlags) error {
	if f.key != "" || f.Process >= 0 || f.Encrypt {
		return errors.New("--key, --process and --encrypt: want --peers with them, or none of them: processes of an MPI job know each other")
	}
	native, words, err := takeNative(words)
	if err != nil {
		return err
	}
	if native != "" {
		return a.joinBeside(ctx, native, words, f)
	}
	if f.turnsTyped {
		return errors.New("--turns: want native=... with it, which takes turns with the line")
	}
	processes := a.job.Count()
	run, err := a.launchLine(words, &processes, f.Pace)
	var trace *outFile
	if err == nil && !a.silent() { // the others have nothing to write
		trace, err = a.openRecording(f.trace, f.json)
	}
	if err = a.agree(err); err != nil {
		return err
	}
	defer trace.abandon()
	outcome, err := a.runOnJob(ctx, run, f)
	if err == nil && outcome != nil {
		err = a.writeRecorded(ctx, trace, f.trace, run, outcome)
	}
	switch {
	case err != nil:
		return a.againInJob(f).failed(ctx, run.String(), err)
	case outcome == nil:
		return nil
	}
	return a.show(outcome, "", a.againInJob(f).run(outcome.Line), nil, runFlags{json: f.json, trace: f.trace})
}

// againInJob is what a job is started with once more.
func (a *app) againInJob(f joinFlags) again {
	command := []string{"mpirun", "-n", fmt.Sprint(a.job.Count()), string(a.name), "join"}
	if a.doomed == "" {
		command = slices.Insert(command, 1, "--enable-recovery")
	}
	return again{command: command, typed: f.typed}
}

// runOnJob runs a line on the processes of the job; the outcome is that of the first one.
func (a *app) runOnJob(ctx context.Context, run *scenarios.Run, f joinFlags) (*scenarios.Outcome, error) {
	options := a.jobOptions(f, false)
	if a.doomed == "" {
		options.Begun = mpi.GoOn
	}
	outcome, err := launch.JoinJob(ctx, run, options)
	if input := (*line.InputError)(nil); a.doomed == "" && !errors.As(err, &input) {
		a.apart = true
		a.part(err)
	}
	return outcome, err
}

// jobOptions are those of a run on the processes of the job. If failures are played, these outlive them.
func (a *app) jobOptions(f joinFlags, played bool) launch.JobOptions {
	return launch.JobOptions{
		Group: a.job, Carrier: a.carrier, Doomed: a.doomed, Played: played, Record: f.trace != "", Listen: f.listen, Pace: f.Pace, Eager: a.job.Count() <= usualMesh,
		Patience: f.Patience, Timeout: f.Timeout, Storage: f.Storage, Log: func(line string) { fmt.Fprintln(a.stderr, line) },
	}
}

// part is for processes of a job that may have lost some: they end each by itself. The first one tells how the run went, and the others that it lives to tell.
// If it does not, they say what they know.
func (a *app) part(err error) {
	if !a.silent() {
		for process := 1; process < a.job.Count(); process++ {
			_ = a.job.Send(process, nil) // it may be gone
		}
		return
	}
	if err == nil {
		return
	}
	told := make(chan struct{})
	go func() {
		if _, _, err := a.job.Receive(); err == nil {
			close(told)
		}
	}()
	select {
	case <-told:
	case <-time.After(mpi.Pause):
		fmt.Fprintf(a.loud, "%s: process %d of %d: %v\n", a.name, a.job.Index(), a.job.Count(), err)
	}
}
