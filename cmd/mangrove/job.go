package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/emu/parts"
)

// Processes of an MPI job do the same command together. All of them go the same way through it, since they all know the line and what came of
// it; the first one alone reads, writes and prints.

// joinJob makes this process one of several.
func (a *app) joinJob(group parts.Group) {
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

// sharable marks the commands that the processes of a job can do together.
const sharable = "sharable"

// checkJob refuses what they cannot.
func (a *app) checkJob(cmd *cobra.Command) error {
	if a.job == nil || cmd.Annotations[sharable] != "" {
		return nil
	}
	return fmt.Errorf("%s: the %d processes of this MPI job would all do the same; want run or replay, or one process", cmd.CommandPath(), a.job.Count())
}
