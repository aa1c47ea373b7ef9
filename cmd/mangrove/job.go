package main

import (
	"context"
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

// joinJob makes this process one of several.
func (a *app) joinJob(group parts.Mail) {
	if group == nil || group.Count() == 1 {
		return
	}
	a.job = group
	if a.silent() {
		a.stdout, a.stderr = io.Discard, io.Discard
	}
}

// silent reports whether another process says how it went.
func (a *app) silent() bool { return a.job != nil && a.job.Index() != 0 }

// agree returns an error if any process of the job has one: what the others would begin then would have no end.
func (a *app) agree(err error) error {
	if a.job == nil {
		return err
	}
	var text []byte
	if err != nil {
		text = []byte(err.Error())
	}
	in, lost := a.job.Exchange(slices.Repeat([][]byte{text}, a.job.Count()))
	switch {
	case err != nil:
		return err
	case lost != nil:
		return failure{lost}
	}
	for process, text := range in {
		if len(text) > 0 {
			return fmt.Errorf("process %d of the job: %s", process, text)
		}
	}
	return nil
}

// handOut does a command of many runs: here, with an office that hands them out, or by serving that one.
func (a *app) handOut(serve func(parts.Mail) error, do func(*handout.Office) error) error {
	if a.job == nil {
		return do(nil)
	}
	if a.silent() {
		return failed(serve(a.job))
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
func (a *app) assist(ctx context.Context, workers int, does search.Assistant) func(parts.Mail) error {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(group parts.Mail) error { return handout.Serve(ctx, group, workers, does) }
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
	return fmt.Errorf("%s: the %d processes of this MPI job would all do the same; want one process, or one of %s", cmd.CommandPath(), a.job.Count(), strings.Join(shared(cmd.Root()), ", "))
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
