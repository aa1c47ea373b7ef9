package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

const joinHelp = `Take part in a run as one of its processes, where something else than 'mangrove
launch' starts them: each with the same line, the same list of --peers and its
own number. Process 0 prints how the run went. In a SLURM job the number is that
of the task.

All need the same key, which is secret: --make-key writes a new one, which only
its owner can read. A key is good for one run.`

func (a *app) joinCommand() *cobra.Command {
	f := joinFlags{pace: tcp.Sends, timeout: time.Minute, patience: time.Second, process: -1}
	cmd := &cobra.Command{
		Use:   "join --peers LIST --process I --key FILE WORD...",
		Short: "Take part in a run as one process of a list",
		Long:  joinHelp,
		Example: `  mangrove join --make-key job.key
  mangrove join --peers a:7000,b:7000 --process 0 --key job.key broadcast
  mangrove join --peers a:7000,b:7000 --process 1 --key job.key broadcast`,
		RunE: func(cmd *cobra.Command, words []string) error { return a.join(cmd.Context(), words, f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.peers, "peers", nil, "the `addresses` of all processes, host:port, in order")
	flags.Var(number(&f.process, 0, maxProcesses-1), "process", "this one's `number`; else SLURM_PROCID")
	flags.StringVar(&f.key, "key", "", "read the key of the job from `file`")
	flags.StringVar(&f.makeKey, "make-key", "", "write a new key to `file`, and do nothing else")
	flags.Var(pace(&f.pace), "pace", "keep to the model: `free`, sends, model")
	flags.Var(duration(&f.timeout), "timeout", "end after this `time`, start included")
	flags.Var(duration(&f.patience), "patience", "take others for hung after this `time`")
	flags.BoolVar(&f.encrypt, "encrypt", false, "hide what goes over the network")
	flags.BoolVar(&f.json, "json", false, "print the outcome as JSON")
	return cmd
}

type joinFlags struct {
	peers             []string
	process           int
	key, makeKey      string
	pace              tcp.Pace
	timeout, patience time.Duration
	encrypt, json     bool
}

func (a *app) join(ctx context.Context, words []string, f joinFlags) error {
	if f.makeKey != "" {
		return makeKey(f.makeKey)
	}
	if len(f.peers) == 0 {
		return errors.New("--peers: want the addresses of all processes, such as a:7000,b:7000")
	}
	job, err := readKey(f.key)
	if err != nil {
		return err
	}
	process, err := f.number(os.Getenv)
	if err != nil {
		return err
	}
	run, err := a.launchLine(words, &launchFlags{processes: len(f.peers)})
	if err != nil {
		return err
	}
	outcome, err := launch.Join(ctx, run, launch.JoinOptions{
		Job: job, Process: process, Addresses: f.peers, Pace: f.pace, Encrypt: f.encrypt,
		Timeout: f.timeout, Patience: f.patience, Log: func(line string) { fmt.Fprintln(a.stderr, line) },
	})
	switch {
	case err != nil:
		return noOutcome(ctx, err, "")
	case outcome == nil:
		return nil
	}
	return a.show(outcome, "", runFlags{json: f.json})
}

// number is that of this process.
func (f *joinFlags) number(env func(string) string) (int, error) {
	if f.process >= 0 {
		return f.process, nil
	}
	text := env("SLURM_PROCID")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("--process: want the number of this process, 0 to %d", len(f.peers)-1)
	}
	return n, nil
}

// makeKey writes a key.
func makeKey(path string) error {
	err := launch.MakeKey(path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--make-key %s: the file exists, want a new one: a key is good for one run", path)
	}
	return failed(err)
}

func readKey(path string) (wire.Job, error) {
	if path == "" {
		return wire.Job{}, errors.New("--key: want the file of a key, which --make-key writes")
	}
	job, err := launch.ReadKey(path)
	if err != nil {
		return job, fmt.Errorf("--key %s: %w", path, err)
	}
	return job, nil
}
