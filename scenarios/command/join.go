package command

import (
	"cmp"
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
its owner can read. A key is good for one run.

Processes of an MPI job know each other, and need neither: what ranks send goes
through the MPI library, if this program was built for it. There, native=same
runs the library's own operation of the same size as well, such as MPI_Bcast for
a broadcast, by turns with the line, and compares; ranks then fail without their
processes.`

func (a *app) joinCommand() *cobra.Command {
	f := joinFlags{JoinOptions: launch.JoinOptions{Process: -1, Pace: tcp.Sends, Timeout: time.Minute, Patience: time.Second}, turns: usualTurns}
	cmd := &cobra.Command{
		Annotations: map[string]string{sharable: "yes"},
		Use:         "join --peers LIST --process I --key FILE WORD...",
		Short:       "Take part in a run as one process of a list",
		Long:        joinHelp,
		Example: `  mangrove join --make-key job.key
  mangrove join --peers a:7000,b:7000 --process 0 --key job.key broadcast
  mangrove join --peers a:7000,b:7000 --process 1 --key job.key broadcast
  mpirun -n 16 mangrove join broadcast
  mpirun -n 16 mangrove join broadcast repeat=40 period=5ms native=same
  mpirun --enable-recovery -n 16 mangrove join broadcast faults=crash:3@send1`,
		RunE: func(cmd *cobra.Command, words []string) error {
			f.typed = typedFlags(cmd.Flags(), "process")
			f.paceTyped, f.turnsTyped = cmd.Flags().Changed("pace"), cmd.Flags().Changed("turns")
			return a.join(cmd.Context(), words, f)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.Addresses, "peers", nil, "the `addresses` of all processes, host:port, in order")
	flags.Var(number(&f.Process, 0, maxProcesses-1), "process", "this one's `number`; else SLURM_PROCID")
	flags.StringVar(&f.key, "key", "", "read the key of the job from `file`")
	flags.StringVar(&f.makeKey, "make-key", "", "write a new key to `file`, and do nothing else")
	flags.Var(pace(&f.Pace), "pace", "keep to the model: `free`, sends, model")
	flags.Var(duration(&f.Timeout), "timeout", "end after this `time`, start included")
	flags.Var(duration(&f.Patience), "patience", "take others for hung after this `time`")
	flags.BoolVar(&f.Encrypt, "encrypt", false, "hide what goes over the network")
	flags.Var(named(&f.trace, "the name of a file, or -"), "trace", "process 0: write events to `file`, as launch does")
	flags.StringVar(&f.listen, "listen", "", "in an MPI job, reach process 0 at this `address`")
	flags.Var(number(&f.turns, 1, mostTurns), "turns", "with native=, take `n` turns")
	flags.Var(named(&f.Storage, "the name of a folder"), "storage", "let ranks here keep what they store in this `folder`;\nelse in a temporary one")
	flags.BoolVar(&f.json, "json", false, "print the outcome as JSON")
	return cmd
}

type joinFlags struct {
	launch.JoinOptions
	key, makeKey, listen string
	json                 bool
	trace                string
	turns                int // with the library's own operation
	paceTyped            bool
	turnsTyped           bool
	typed                []string // all that was typed, but for the number of the process
}

// again is what each process is started with once more.
func (f *joinFlags) again(name commandName) again {
	return again{
		command: []string{string(name), "join", "--process", fmt.Sprint(f.Process)}, typed: f.typed,
		remark: "in each process with its own number, and with a new key",
	}
}

func (a *app) join(ctx context.Context, words []string, f joinFlags) error {
	if f.makeKey != "" {
		return makeKey(f.makeKey)
	}
	if a.job != nil {
		return a.joinJob(ctx, words, f)
	}
	if native, _, err := takeNative(words); native != "" || f.turnsTyped {
		return cmp.Or(err, a.noEngine())
	}
	if f.listen != "" {
		return fmt.Errorf("--listen %s: processes of a list listen at their own address in --peers; want --listen in an MPI job only", f.listen)
	}
	if len(f.Addresses) == 0 {
		return errors.New("--peers: want the addresses of all processes, such as a:7000,b:7000")
	}
	var err error
	if f.Job, err = readKey(f.key); err != nil {
		return err
	}
	if f.Process, err = f.number(os.Getenv); err != nil {
		return err
	}
	processes := len(f.Addresses)
	run, err := a.launchLine(words, &processes, f.Pace)
	if err != nil {
		return err
	}
	f.Log = func(line string) { fmt.Fprintln(a.stderr, line) }
	if f.trace != "" && f.Process != 0 {
		return fmt.Errorf("--trace %s: this is process %d, want process 0, which has the report", f.trace, f.Process)
	}
	trace, err := a.openRecording(f.trace, f.json)
	if err != nil {
		return err
	}
	defer trace.abandon()
	f.Record = f.trace != ""
	outcome, err := launch.Join(ctx, run, f.JoinOptions)
	if err == nil && outcome != nil {
		err = a.writeRecorded(ctx, trace, f.trace, run, outcome)
	}
	switch {
	case errors.Is(err, tcp.ErrKey):
		return fmt.Errorf("--key %s: %s; want the same key in all processes", f.key, sentence(err))
	case isAddress(err):
		return badAddress("peers", err)
	case err != nil:
		if f.Process != 0 {
			return noOutcome(ctx, err, "") // process 0 says how to see it again
		}
		return f.again(a.name).failed(ctx, run.String(), err)
	case outcome == nil:
		return nil
	}
	return a.show(outcome, "", f.again(a.name).run(outcome.Line), nil, runFlags{json: f.json, trace: f.trace})
}

// number is that of this process.
func (f *joinFlags) number(env func(string) string) (int, error) {
	if f.Process >= 0 {
		return f.Process, nil
	}
	text := env("SLURM_PROCID")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("--process: want the number of this process, 0 to %d", len(f.Addresses)-1)
	}
	return n, nil
}

// makeKey writes a key.
func makeKey(path string) error {
	err := launch.MakeKey(path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--make-key %s: the file exists, want a new one: a key is good for one run", path)
	}
	if err != nil {
		return failure{fmt.Errorf("--make-key %s: %w", path, unwritten(err))}
	}
	return nil
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
