package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

const launchHelp = `Run a line on real processes that send each other messages over TCP: the same
protocols, the same failures, the same guarantees as on the emulator.

With a process for each rank (-n P, or P left out) a crash is a SIGKILL, also in
the middle of a send, a hang is a SIGSTOP, and a rank that rejoins is a process
that is started again. With fewer processes each has several ranks, and only the
goroutine of a rank fails.

A tick has a length here: tick=5ms unless the line or its machine says
otherwise.
--pace says how much of the model is kept to: with sends a send takes o ticks,
and L is the most that a message may take; with model a message takes as long as
the model says, at least; with free everything is as fast as it can be.

On several hosts, --hosts names those to start processes on over ssh, and
--listen is the address of this one that they can reach.`

func (a *app) launchCommand() *cobra.Command {
	f := launchFlags{pace: tcp.Sends, runs: 1, timeout: time.Minute, patience: time.Second}
	cmd := &cobra.Command{
		Use:   "launch -n N WORD...",
		Short: "Run a line on real processes, over TCP",
		Long:  launchHelp,
		Example: `  mangrove launch -n 64 broadcast faults=crash:3@send2,hang:9@t12
  mangrove launch -n 16 broadcast P=4096 start=overlapped
  mangrove launch -n 16 membership faults=crash:5@t20,rejoin:5@t90
  mangrove launch -n 8 broadcast machine=here.toml --runs 50 --compare
  mangrove launch -n 8 broadcast --hosts a,b --listen 10.0.0.1:0`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if f.compare && !cmd.Flags().Changed("pace") {
				f.pace = tcp.Free
			}
			f.connectKnown = cmd.Flags().Changed("connect")
			return a.launch(cmd.Context(), words, f)
		},
	}
	flags := cmd.Flags()
	flags.VarP(&number[int]{&f.processes, "processes", 1, maxProcesses}, "processes", "n", "start `n` processes; else one for each of P ranks")
	numberFlag(cmd, &f.runs, "runs", 1, 1_000_000, "run `n` times, with one seed after the other")
	flags.Var(&paceFlag{&f.pace}, "pace", "keep to the model: `free`, sends, model")
	flags.BoolVar(&f.compare, "compare", false, "compare with the emulator, at pace free if not told")
	flags.BoolVar(&f.json, "json", false, "print the outcome as JSON, one line for each run")
	flags.Var(&duration{&f.timeout, "timeout"}, "timeout", "end runs that take longer than this `time`")
	flags.Var(&duration{&f.patience, "patience"}, "patience", "take processes for hung after this `time`")
	f.registerHosts(cmd)
	flags.BoolVar(&f.connect, "connect", false, "open all connections before the run; usual up to 64\nprocesses, or with --compare")
	flags.BoolVar(&f.quiet, "quiet", false, "do not print what processes say")
	return cmd
}

// maxProcesses is how many processes one command starts at most.
const maxProcesses = 4096

type launchFlags struct {
	processes, runs      int
	pace                 tcp.Pace
	compare, json        bool
	encrypt, quiet       bool
	connect              bool
	connectKnown         bool // whether the user has said so
	timeout, patience    time.Duration
	hosts                []launch.Host
	shell, agent, listen string
}

// usualTick is how long a tick is if nobody says so: long enough for messages between processes of
// a host on which there are many more of them than processors.
const usualTick = "tick=5ms"

// launchLine reads a line and adds what it leaves open about processes.
func (a *app) launchLine(words []string, f *launchFlags) (*scenarios.Run, error) {
	if err := refuseBound(words, exploreAdvice); err != nil {
		return nil, err
	}
	if len(strings.Fields(strings.Join(words, " "))) > 0 && !hasKey(words, "P", "ranks") {
		if f.processes == 0 {
			return nil, errors.New("-n: want a number of processes, or P=... on the line")
		}
		words = append(slices.Clone(words), fmt.Sprintf("P=%d", f.processes))
	}
	run, err := a.registry.Parse(words)
	if err == nil && run.Settings().Unit() == 0 && !hasKey(words, "tick") {
		run, err = a.registry.Parse(append(slices.Clone(words), usualTick))
	}
	if err != nil {
		return nil, err
	}
	if f.processes == 0 {
		f.processes = run.Config().Ranks
	}
	if f.processes > maxProcesses {
		return nil, fmt.Errorf("-n: %d processes, want 1 to %d", f.processes, maxProcesses)
	}
	return run, nil
}

// hasKey reports whether a line sets a key, by one of its names.
func hasKey(words []string, names ...string) bool {
	for _, word := range strings.Fields(strings.Join(words, " ")) {
		if key, _, ok := strings.Cut(word, "="); ok && slices.Contains(names, key) {
			return true
		}
	}
	return false
}

// options are those of the launcher.
func (f *launchFlags) options(a *app) (launch.Options, error) {
	o := launch.Options{
		Processes: f.processes, Pace: f.pace, Hosts: f.hosts, Listen: f.listen, Encrypt: f.encrypt, Timeout: f.timeout, Patience: f.patience,
		Eager: f.eager(),
		Shell: fieldsOrNil(f.shell), Agent: fieldsOrNil(f.agent),
	}
	if !f.quiet {
		o.Stderr = a.stderr
	}
	return o, f.checkListen()
}

// usualMesh is up to how many processes open all connections before a run. A handshake during the run
// takes longer than a message, and protocols have deadlines; but the number of connections grows with
// the square of that of processes.
const usualMesh = 64

func (f *launchFlags) eager() bool {
	if f.connectKnown {
		return f.connect
	}
	return f.compare || f.processes <= usualMesh
}

func fieldsOrNil(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Fields(text)
}

// paceFlag is a flag for a pace.
type paceFlag struct{ value *tcp.Pace }

func (p *paceFlag) String() string { return p.value.String() }
func (p *paceFlag) Type() string   { return "pace" }

func (p *paceFlag) Set(text string) error {
	for _, pace := range tcp.Paces() {
		if pace.String() == text {
			*p.value = pace
			return nil
		}
	}
	return &flagError{"pace", text, "free, sends or model"}
}

// launch runs a line on processes as often as it is asked to.
func (a *app) launch(ctx context.Context, words []string, f launchFlags) error {
	run, err := a.launchLine(words, &f)
	if err != nil {
		return err
	}
	options, err := f.options(a)
	if err != nil {
		return err
	}
	series := &launchSeries{app: a, flags: f, options: options}
	if f.compare {
		outcome, err := run.Execute(ctx, scenarios.Options{})
		if err != nil {
			return a.explain(ctx, run, err, runFlags{})
		}
		series.emulated = &launch.Series{}
		series.emulated.Add(outcome)
	}
	seed := run.Settings().Seed()
	for i := range f.runs {
		if i > 0 {
			run = run.WithSetting("seed", fmt.Sprint(seed+uint64(i)))
		}
		if err := series.run(ctx, run); err != nil {
			return err
		}
	}
	return series.end()
}
