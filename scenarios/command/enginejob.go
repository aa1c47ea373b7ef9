package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/mangrove-emu/mangrove/scenarios/paper"
	"github.com/mangrove-emu/mangrove/transport/mpi"
)

// engineJob is what runs commands of this program in MPI jobs of their own. Where there is none, the error says why.
func (a *app) engineJob() (func(context.Context, paper.Job) ([]byte, error), error) {
	if a.job != nil {
		return nil, paper.ErrNoEngine
	}
	if _, err := mpi.Mpirun(2, false); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, j paper.Job) ([]byte, error) {
		words := append([]string{self}, j.Words...)
		if !j.Alone {
			command, err := mpi.Mpirun(j.Processes, j.Apart)
			if err != nil {
				return nil, err
			}
			words = slices.Concat(command, words)
		}
		return ranJob(exec.CommandContext(ctx, words[0], words[1:]...))
	}, nil
}

// ranJob is what a job has printed. A verdict that is not "held" is in there, too.
func ranJob(command *exec.Cmd) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) } // mpirun ends its processes then
	command.WaitDelay = jobEnds
	err := command.Run()
	if err != nil && !json.Valid(stdout.Bytes()) {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return stdout.Bytes(), nil
}

// jobEnds is how long mpirun has to end its processes.
const jobEnds = 5 * time.Second

// withoutEngine leaves out experiments that need MPI if there is none, and says so; who asks for one by its name is told why there is none.
func (a *app) withoutEngine(chosen []paper.Experiment, names []string, problem error) ([]paper.Experiment, error) {
	if problem == nil {
		return chosen, nil
	}
	var left []paper.Experiment
	for _, e := range chosen {
		switch {
		case !e.Engine:
			left = append(left, e)
		case slices.Contains(names, e.Name):
			return nil, fmt.Errorf("%s: %w", e.Name, problem)
		default:
			fmt.Fprintf(a.stderr, "%s is left out: %v\n", e.Name, problem)
		}
	}
	return left, nil
}
