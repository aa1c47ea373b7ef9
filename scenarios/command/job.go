package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/scenarios/handout"
)

// Processes of an MPI job do a command together. The first one alone reads, writes and prints. Of one run, all of them go the same way
// through the command, since they all know the line and what came of it. Of many runs, the first one goes, and the others do what it hands out.

// runTogether runs a command line that the other processes of a group run, too. There is an error if the group has failed: the others may wait for
// this process then.
func (a *app) runTogether(ctx context.Context, group parts.Mail, args []string) (status int, lost error) {
	if group == nil || group.Count() == 1 {
		return a.run(ctx, args), nil
	}
	stderr := a.stderr
	job := &guarded{Mail: group}
	a.job, a.loud = job, stderr
	if a.silent() {
		a.stdout, a.stderr = io.Discard, io.Discard
	}
	if err := a.compareNotes(args); err != nil {
		a.complain(err)
		status = statusOf(err)
	} else if status = a.run(ctx, args); !a.apart {
		status = a.settle(status)
	}
	if lost = job.lost(); lost == nil {
		return status, nil
	}
	if a.silent() { // the first process may have no reason to say anything
		fmt.Fprintf(stderr, "%s: process %d of %d: %v\n", a.name, group.Index(), group.Count(), lost)
	}
	return statusBroken, lost
}

// settle has processes that are done without trouble exit as the first one does, since launchers lose the status of a single one now and then.
func (a *app) settle(status int) int {
	in, err := a.job.Exchange(slices.Repeat([][]byte{{byte(status)}}, a.job.Count()))
	if err == nil && status == statusHeld && len(in[0]) == 1 {
		status = int(in[0][0])
	}
	return status
}

// silent reports whether another process says how it went.
func (a *app) silent() bool { return a.job != nil && a.job.Index() != 0 }

// agree returns an error if any process of the job has one: what the others would begin then would have no end. It is the same for the exit status.
func (a *app) agree(err error) error {
	if a.job == nil {
		return err
	}
	var own trouble
	if err != nil {
		own = trouble{statusOf(err), err.Error()}
	}
	text, wrong := json.Marshal(own)
	in, lost := a.job.Exchange(slices.Repeat([][]byte{text}, a.job.Count()))
	switch {
	case err != nil:
		return err
	case wrong != nil || lost != nil:
		return failure{errors.Join(wrong, lost)}
	}
	for process, text := range in {
		var theirs trouble
		if err := json.Unmarshal(text, &theirs); err != nil {
			return failure{fmt.Errorf("process %d of the job: %w", process, err)}
		}
		if theirs.Status != 0 {
			return theirs.error(process)
		}
	}
	return nil
}

// trouble is an error on its way to other processes.
type trouble struct {
	Status int    `json:"status"` // to exit with; 0: there is none
	Text   string `json:"text"`
}

// error is what it is for others.
func (t trouble) error(process int) error {
	err := fmt.Errorf("process %d of the job: %s", process, t.Text)
	switch t.Status {
	case statusInput:
		return err
	case statusInterrupted:
		return interrupted{}
	}
	return failure{err}
}

// handOut does a command of many runs: here, with an office that hands them out, or by serving that one. When to stop is up to the
// office: a process that is told so first must not spoil the runs of the others.
func (a *app) handOut(ctx context.Context, serve func(context.Context, parts.Mail) error, do func(*handout.Office) error) error {
	if a.job == nil {
		return do(nil)
	}
	if a.silent() {
		return failed(serve(context.WithoutCancel(ctx), a.job))
	}
	office, err := handout.Open(a.job)
	if err != nil {
		return failure{err}
	}
	if err = do(office); err != nil {
		_ = office.Close() // what went wrong first is told
		return err
	}
	return failed(office.Close())
}

// assist serves a search that another process hands out.
func (a *app) assist(workers int, does search.Assistant) func(context.Context, parts.Mail) error {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(ctx context.Context, group parts.Mail) error { return handout.Serve(ctx, group, workers, does) }
}

// elsewhere is who takes a share of a search; nil if there is nobody.
func elsewhere(office *handout.Office) *search.Elsewhere {
	if office == nil {
		return nil
	}
	return &search.Elsewhere{Hands: office.Hands(), Do: office.Do}
}

// sharable marks the commands that the processes of a job can do together.
const sharable = "sharable"

// checkJob refuses what they cannot.
func (a *app) checkJob(cmd *cobra.Command) error {
	if a.job == nil || cmd.Annotations[sharable] != "" {
		return nil
	}
	return fmt.Errorf("%s: the %d processes of this MPI job would all do the same; want one process, or one of %s", cmd.Name(), a.job.Count(), strings.Join(shared(cmd.Root()), ", "))
}

// shared names the commands that can be done together.
func shared(root *cobra.Command) (names []string) {
	for _, cmd := range root.Commands() {
		if cmd.Annotations[sharable] != "" {
			names = append(names, cmd.Name())
		}
	}
	return names
}
