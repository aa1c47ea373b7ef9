package command

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
)

// note is what all processes of a job must have in common.
type note struct {
	Program string   `json:"program"`
	Words   []string `json:"words"`
}

// build is what processes must have in common to do the same: arithmetic differs between processors.
func build() string { return version() + " " + runtime.GOARCH }

// compareNotes makes sure that all processes do the same in the same way: they would misunderstand each other.
func (a *app) compareNotes(args []string) error {
	own, err := json.Marshal(note{build(), args})
	if err != nil {
		return err
	}
	in, lost := a.job.Exchange(slices.Repeat([][]byte{own}, a.job.Count()))
	if lost != nil {
		return failure{lost}
	}
	var first note
	for process, text := range in {
		var n note
		if err := json.Unmarshal(text, &n); err != nil {
			return fmt.Errorf("process %d of the job runs another program, or another version of it; want the same for all", process)
		}
		if process == 0 {
			first = n
		}
		switch {
		case n.Program != first.Program:
			return fmt.Errorf("process 0 of the job is %s %s, process %d is %[1]s %[4]s; want the same for all", a.name, first.Program, process, n.Program)
		case !slices.Equal(n.Words, first.Words):
			return fmt.Errorf("process 0 of the job was started with %q, process %d with %q; want the same words for all", first.Words, process, n.Words)
		}
	}
	return nil
}
