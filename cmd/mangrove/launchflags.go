package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

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
	flags.Var(hostList(&f.hosts), "hosts", "start processes on these `hosts`, such as a,u@b=10.0.0.2")
	flags.StringVar(&f.shell, "ssh", "", "start agents with this `command`, followed by the host")
	flags.StringVar(&f.agent, "agent", "", "what to call on other hosts, else 'mangrove agent'")
	flags.StringVar(&f.listen, "listen", "", "let processes reach this host at `address`, host:port")
	flags.BoolVar(&f.encrypt, "encrypt", false, "hide what goes over the network")
}

// hostList is a flag for hosts.
func hostList(value *[]launch.Host) pflag.Value {
	return &option[[]launch.Host]{value, "hosts", hostNames, func(text string) ([]launch.Host, error) {
		hosts, ok := readList(text, launch.ParseHost)
		if !ok {
			return nil, wanted("names such as a, user@a or a=10.0.0.2, with commas between them")
		}
		return hosts, nil
	}}
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
	if f.listen == "" {
		if len(f.hosts) > 0 {
			return fmt.Errorf("--hosts %s: want --listen, too: the address of this host that they reach, such as 10.0.0.1:0", hostNames(f.hosts))
		}
		return nil
	}
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return badFlag("listen", f.listen, "host:port, such as 10.0.0.1:0")
	}
	if ip := net.ParseIP(host); len(f.hosts) > 0 && (host == "" || ip != nil && ip.IsUnspecified()) {
		return badFlag("listen", f.listen, "the address of this host that others reach, such as 10.0.0.1:0")
	}
	return nil
}
