package command

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// maxProcesses is how many processes one command starts at most.
const maxProcesses = 4096

type launchFlags struct {
	launch.Options
	runs                 int
	compare, json, quiet bool
	trace                string
	connectKnown         bool     // whether the user has said so
	typed                []string // all that was typed, but for the number of processes and that of runs
}

// again is a command that runs something on as many processes once more.
func (f *launchFlags) again(name commandName, command string) again {
	return again{command: []string{string(name), command, "-n", fmt.Sprint(f.Processes)}, typed: f.typed}
}

// How long a tick is if nobody says so.
const (
	// usualTick is long enough for messages between processes of a host on which there are many more of them than processors.
	usualTick = "5ms"
	// fineTick is for what takes no ticks anyway and is to be measured in them.
	fineTick = "1us"
)

// launchLine reads a line and adds what it leaves open about processes. If their number is 0, it becomes that of ranks.
func (a *app) launchLine(words []string, processes *int, pace tcp.Pace) (*scenarios.Run, error) {
	if err := refuseBound(words, a.name.exploreAdvice); err != nil {
		return nil, err
	}
	if hasKey(words, nativeKey) {
		return nil, a.noEngine()
	}
	if len(line.Fields(words)) > 0 && !hasKey(words, "P", "ranks") {
		if *processes == 0 {
			return nil, errors.New("-n: want a number of processes, or P=... on the line")
		}
		words = append(slices.Clone(words), fmt.Sprintf("P=%d", *processes))
	}
	run, err := a.parseTicking(words, pace)
	if err != nil {
		return nil, err
	}
	if *processes == 0 {
		*processes = run.Config().Ranks
	}
	if *processes > maxProcesses {
		return nil, fmt.Errorf("-n: %d processes, want 1 to %d", *processes, maxProcesses)
	}
	return run, nil
}

// parseTicking reads a line, and says how long a tick is if it does not. Times on the line, such as period=5ms, need to know that.
//
// At pace free a send takes no ticks, so if ranks have no deadlines either the clock is only read, and may be a fine one.
func (a *app) parseTicking(words []string, pace tcp.Pace) (*scenarios.Run, error) {
	run, err := a.registry.Parse(words)
	if hasKey(words, "tick") || err == nil && run.Settings().Unit() != 0 {
		return run, err
	}
	with := func(tick string) (*scenarios.Run, error) {
		return a.registry.Parse(append(slices.Clone(words), "tick="+tick))
	}
	if pace == tcp.Free {
		if fine, err := with(fineTick); err == nil && onlyReadsClock(fine) {
			return fine, nil
		}
	}
	ticking, problem := with(usualTick)
	if err == nil || problem == nil {
		return ticking, problem
	}
	return nil, err
}

// onlyReadsClock reports whether nothing in a run depends on how long a tick is: ranks have no deadlines, and nobody is taken for hung after some ticks.
func onlyReadsClock(run *scenarios.Run) bool {
	x := run.Experiment()
	return x.Timing.Assumes == scenarios.NoLatency && !x.Detection.Hangs
}

// hasKey reports whether a line sets a key, by one of its names.
func hasKey(words []string, names ...string) bool {
	for _, word := range line.Fields(words) {
		if key, _, ok := strings.Cut(word, "="); ok && slices.Contains(names, key) {
			return true
		}
	}
	return false
}

// usualMesh is up to how many processes open all connections before a run. A handshake during the run
// takes longer than a message, and protocols have deadlines; but the number of connections grows with
// the square of that of processes.
const usualMesh = 64

// complete fills in what follows from other flags, and refuses those that do not go together.
func (f *launchFlags) complete(a *app) error {
	if !f.connectKnown {
		f.Eager = f.compare || f.Processes <= usualMesh
	}
	if !f.quiet {
		f.Stderr = a.stderr
	}
	if f.trace != "" && f.runs > 1 {
		return fmt.Errorf("--trace %s: of %d runs, want one run to trace", f.trace, f.runs)
	}
	if f.Storage != "" && f.runs > 1 {
		return fmt.Errorf("--storage %s: of %d runs, want one run for a folder", f.Storage, f.runs)
	}
	f.Record = f.trace != ""
	if f.Agent == nil {
		f.Agent = []string{string(a.name), "agent"}
	}
	return f.checkListen()
}

// program is a flag for a program to start, with its arguments.
func program(value *[]string) pflag.Value {
	show := func(words []string) string { return strings.Join(words, " ") }
	return &option[[]string]{value, "string", show, func(text string) ([]string, error) {
		if text == "" {
			return nil, nil
		}
		return strings.Fields(text), nil
	}}
}

// pace is a flag for a pace.
func pace(value *tcp.Pace) pflag.Value {
	return &option[tcp.Pace]{value, "pace", tcp.Pace.String, func(text string) (tcp.Pace, error) {
		for _, pace := range tcp.Paces() {
			if pace.String() == text {
				return pace, nil
			}
		}
		return 0, wanted("free, sends or model")
	}}
}

// registerHosts adds the flags about where processes are.
func (f *launchFlags) registerHosts(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(hostList(&f.Hosts), "hosts", "start processes on these `hosts`, such as a,u@b=10.0.0.2")
	flags.Var(program(&f.Shell), "ssh", "start agents with this `command`, followed by the host")
	flags.Var(program(&f.Agent), "agent", "what to call on other hosts, else 'mangrove agent'")
	flags.StringVar(&f.Listen, "listen", "", "let processes reach this host at `address`, host:port")
	flags.BoolVar(&f.Encrypt, "encrypt", false, "hide what goes over the network")
}

// hostList is a flag for hosts.
func hostList(value *[]launch.Host) pflag.Value {
	return &option[[]launch.Host]{value, "hosts", typedHosts, func(text string) ([]launch.Host, error) {
		hosts, ok := readList(text, launch.ParseHost)
		if !ok {
			return nil, wanted("names such as a, user@a or a=10.0.0.2, with commas between them")
		}
		return hosts, nil
	}}
}

// typedHosts writes hosts as the flag takes them.
func typedHosts(hosts []launch.Host) string {
	var all []string
	for _, host := range hosts {
		if usual, _ := launch.ParseHost(host.Name); usual == host {
			all = append(all, host.Name)
		} else {
			all = append(all, host.Name+"="+host.Address)
		}
	}
	return strings.Join(all, ",")
}

func hostNames(hosts []launch.Host) string {
	var names []string
	for _, host := range hosts {
		names = append(names, host.Name)
	}
	return strings.Join(names, ",")
}

// checkListen makes sure that other hosts, if there are any, can reach this one.
func (f *launchFlags) checkListen() error {
	if f.Listen == "" {
		if len(f.Hosts) > 0 {
			return fmt.Errorf("--hosts %s: want --listen, too: the address of this host that they reach, such as 10.0.0.1:0", hostNames(f.Hosts))
		}
		return nil
	}
	host, _, err := net.SplitHostPort(f.Listen)
	if err != nil {
		return badFlag("listen", f.Listen, "host:port, such as 10.0.0.1:0")
	}
	if ip := net.ParseIP(host); len(f.Hosts) > 0 && (host == "" || ip != nil && ip.IsUnspecified()) {
		return badFlag("listen", f.Listen, "the address of this host that others reach, such as 10.0.0.1:0")
	}
	return nil
}
