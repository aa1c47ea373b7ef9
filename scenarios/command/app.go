package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/beside"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// app is the command line with everything it touches.
type app struct {
	name           commandName
	registry       scenarios.Registry
	stdin          io.Reader
	stdout, stderr io.Writer
	job            parts.Mail  // the processes that do this together; nil if there is one
	limits         []emu.Limit // of memory; nil: those that there are

	loud    io.Writer     // for what even a silent process of a job has to say
	carrier tcp.Carrier   // takes messages of ranks between the processes of the job; nil if that is of one process
	engine  beside.Engine // has operations of its own, beside which a line can be run; nil if there is none
	doomed  string        // why the job does not survive it if a process is killed; "" if it does
	abort   func(int)     // ends all processes of the job; nil: as MPI does
	// stuckAfter is how long what should be over is waited for; 0: the usual time.
	stuckAfter time.Duration
	apart      bool // each process of the job ends by itself, as others may have been killed
}

// memory is what limits it.
func (a *app) memory() []emu.Limit {
	if a.limits != nil {
		return a.limits
	}
	return emu.Limits()
}

// output is where results go. That they cannot be written is not the user's fault.
type output struct{ io.Writer }

func (o output) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	if err != nil {
		return n, failure{outputError{unwritten(err)}}
	}
	return n, nil
}

// outputError is why nothing can be written to standard output.
type outputError struct{ why error }

func (o outputError) Error() string { return "cannot write to standard output: " + o.why.Error() }
func (o outputError) Unwrap() error { return o.why }

// run does what a command line asks for and returns the exit status.
func (a *app) run(ctx context.Context, args []string) int {
	a.stdout = output{a.stdout}
	if err := a.checkProtocols(); err != nil {
		a.complain(err)
		return statusOf(err)
	}
	root := a.rootCommand()
	root.SetArgs(append([]string{}, args...)) // for nil, cobra would take os.Args
	err := root.ExecuteContext(ctx)
	status := statusOf(err)
	if err != nil && !errors.Is(err, errBroken) && !errors.Is(err, errUnjudged) {
		a.complain(err)
	}
	return status
}

const longHelp = `Mangrove runs real message-passing protocols on an emulated machine of up to
millions of ranks, on virtual LogP time and with failures on schedule.

A run is one line of text: the name of a protocol, then key=value words in any
order. The same line gives the same run, so it is all one needs to see a failure
again.

After a run each guarantee is held, broken or, if the protocol promises nothing
for such failures, not claimed. Exit status: 0 if none was broken and something
was judged, 1 if one was broken or the run failed, 2 for bad input, 3 if nothing
could be judged, 130 after Ctrl-C or SIGTERM.`

const examples = `  mangrove demo
  mangrove list
  mangrove promises broadcast
  mangrove run broadcast P=65536
  mangrove run broadcast P=64 faults=crash:3@send2 --trace events.ndjson
  mangrove run broadcast tree=optimal correction=optimized start=overlapped
  mangrove replay 'broadcast P=1024 seed=7 faults=crash:~10,hang:5@t3' --json`

// rootCommand builds the tree of commands.
func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:               ours, // as in all other texts, see intoHelp
		Short:             "Run message-passing protocols on an emulated machine that fails on schedule",
		Long:              longHelp,
		Example:           examples,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Version:           version(),
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.checkJob(cmd) },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(plainFlagError)
	root.SetVersionTemplate(string(a.name) + " {{.Version}}\n")
	root.AddCommand(a.runCommand(), a.replayCommand(), a.exploreCommand(), a.fuzzCommand(), a.shrinkCommand(), a.demoCommand(), a.campaignCommand(), a.compareCommand(), a.mergeCommand(), a.summaryCommand(), a.listCommand(), a.promisesCommand(), a.viewCommand(), a.launchCommand(), a.joinCommand(), a.workerCommand(), a.agentCommand())
	root.AddCommand(a.ofCatalogue()...)
	root.SetHelpCommand(helpCommand(root))
	a.aboutOwn(root)
	a.name.intoHelp(root)
	return root
}

// helpCommand is like cobra's own, but an unknown topic is an error.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Explain a command",
		RunE: func(_ *cobra.Command, args []string) error {
			topic, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return fmt.Errorf("unknown help topic %q", rest[0])
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}
