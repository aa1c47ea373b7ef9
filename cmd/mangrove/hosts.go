package main

import (
	"fmt"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/launch"
)

// registerHosts adds the flags about where processes are.
func (f *launchFlags) registerHosts(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&hostList{&f.hosts}, "hosts", "start processes on these `hosts`, such as a,u@b=10.0.0.2")
	flags.StringVar(&f.shell, "ssh", "", "start agents with this `command`, followed by the host")
	flags.StringVar(&f.agent, "agent", "", "what to call on other hosts, else 'mangrove agent'")
	flags.StringVar(&f.listen, "listen", "", "let processes reach this host at `address`, host:port")
	flags.BoolVar(&f.encrypt, "encrypt", false, "hide what goes over the network")
}

// hostList is a flag for hosts.
type hostList struct{ value *[]launch.Host }

func (h *hostList) Type() string { return "hosts" }

func (h *hostList) String() string {
	var names []string
	for _, host := range *h.value {
		names = append(names, host.Name)
	}
	return strings.Join(names, ",")
}

func (h *hostList) Set(text string) error {
	var hosts []launch.Host
	for item := range strings.SplitSeq(text, ",") {
		host, ok := launch.ParseHost(item)
		if !ok {
			return &flagError{"hosts", text, "names such as a, user@a or a=10.0.0.2, with commas between them"}
		}
		hosts = append(hosts, host)
	}
	*h.value = hosts
	return nil
}

// checkListen makes sure that other hosts, if there are any, can reach this one.
func (f *launchFlags) checkListen() error {
	if f.listen == "" {
		if len(f.hosts) > 0 {
			return fmt.Errorf("--hosts %s: want --listen, too: the address of this host that they reach, such as 10.0.0.1:0", (&hostList{&f.hosts}).String())
		}
		return nil
	}
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return &flagError{"listen", f.listen, "host:port, such as 10.0.0.1:0"}
	}
	if ip := net.ParseIP(host); len(f.hosts) > 0 && (host == "" || ip != nil && ip.IsUnspecified()) {
		return &flagError{"listen", f.listen, "the address of this host that others reach, such as 10.0.0.1:0"}
	}
	return nil
}
