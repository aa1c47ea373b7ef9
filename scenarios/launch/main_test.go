package launch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/launch"
	"github.com/mangrove-emu/mangrove/scenarios/line"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

// patience is how long tests wait for what must happen. It is much: machines may be busy.
const patience = 3 * time.Minute

var (
	processes = flag.Int("processes", 8, "how many processes each protocol is run on")
	soak      = flag.Int("soak", 8, "how many runs with random kills are made")
	soakSeed  = flag.Uint64("soakseed", 0, "which ones: `seed` of the first, 0 for one by the clock")
)

// TestMain makes this program a worker, an agent or a launcher if a test has started it as such. The last
// of their arguments is a name by which the test finds them.
func TestMain(m *testing.M) {
	var err error
	switch role() {
	case "worker":
		err = launch.Work(context.Background(), registry(), os.Stdin, say)
	case "agent":
		err = launch.Serve(context.Background(), workers(os.Args[2]), os.Stdin, os.Stdout, os.Stderr)
	case "launcher":
		err = launchAlone(os.Args[3:])
	case "stranger": // a worker that does not know the secret
		err = workAsStranger()
	case "once": // a worker that ends at once when it is started again
		err = workOnce()
	case "quitter":
		os.Exit(0)
	default:
		verify(m)
	}
	if err != nil {
		say(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// verify runs the tests, more of them side by side than there are processors, since most wait for processes. How
// many can still be said with -parallel. What one of them has left behind, zombies included, is found in the end.
func verify(m *testing.M) {
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	flag.Parse()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if left := children(); len(left) > 0 {
			say(fmt.Sprintf("processes are left: %v", left))
			code = 1
		}
		os.Exit(code)
	}))
}

func role() string {
	if len(os.Args) < 2 {
		return ""
	}
	return os.Args[1]
}

func say(line string) { fmt.Fprintln(os.Stderr, line) }

// self is this program in some role.
func self(role, name string) []string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return []string{path, role, name}
}

func workers(name string) []string { return self("worker", name) }

// registry has what the package scenarios knows, and protocols that misbehave.
func registry() scenarios.Registry {
	return append(append(catalog.All(), ofThisSystem...),
		badProtocol("panics", func(p protocols.Proc) {
			if p.Rank() == 2 {
				p.WaitUntil(3)
				panic("boom")
			}
		}),
		badProtocol("endless", func(p protocols.Proc) {
			for {
				p.WaitUntil(p.Now() + 1)
			}
		}),
		badProtocol("mourns", mourn),
		lettersProtocol,
		keepsProtocol,
		badProtocol("circle", func(p protocols.Proc) { p.Recv(mailbox.From((p.Rank() + 1) % p.Size())) }),
	)
}

// ofThisSystem are protocols for which an operating system is needed that can do more than others.
var ofThisSystem []scenarios.Protocol

func badProtocol(name string, main func(protocols.Proc)) scenarios.Protocol {
	return scenarios.Protocol{Name: name, Build: func(s line.Settings) (scenarios.Experiment, error) {
		return scenarios.Experiment{
			Detection: emu.Detection{Delay: s.LogP().Delivery()}, Program: protocols.Program{Main: main},
		}, nil
	}}
}

// mourn returns when some rank has crashed, and not before: neither how long that takes nor that nothing
// else happens ends it.
func mourn(p protocols.Proc) {
	const farAway clock.Time = 1e9
	detector, err := protocols.DetectorOf(p)
	if err != nil {
		panic(err)
	}
	detector.WatchNext(0)
	p.RecvUntil(mailbox.OfKind(protocols.Failed), farAway)
}

// launchAlone runs a line as a launcher of its own, which a test may kill: its arguments are those of
// the shell for two hosts, if any, and the line.
func launchAlone(args []string) error {
	name := os.Args[2]
	run, err := registry().ParseLine(args[1])
	if err != nil {
		return err
	}
	o := launch.Options{Command: workers(name), Timeout: patience, Stderr: os.Stderr}
	if shell := args[0]; shell != "" {
		o = withHosts(o, shell, name)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	_, err = launch.Launch(ctx, run, o)
	return err
}

// withHosts adds two hosts that are this one, reached over a shell.
func withHosts(o launch.Options, shell, name string) launch.Options {
	o.Command = nil
	o.Hosts = []launch.Host{{Name: "a", Address: "127.0.0.1"}, {Name: "b", Address: "127.0.0.1"}}
	o.Shell, o.Agent, o.Listen = []string{shell}, self("agent", name), "127.0.0.1:0"
	return o
}

func workOnce() error {
	spec, err := readSpec()
	if err != nil {
		return err
	}
	if life := spec["Life"]; life != nil && life != 0.0 {
		return errors.New("once is enough")
	}
	return workAs(spec)
}

func workAsStranger() error {
	spec, err := readSpec()
	if err != nil {
		return err
	}
	job, err := wire.ParseKey(spec["Key"].(string))
	if err != nil {
		return err
	}
	job.Secret = wire.NewJob().Secret
	spec["Key"] = job.Key()
	return workAs(spec)
}

// readSpec reads what a launcher tells a worker.
func readSpec() (spec map[string]any, err error) {
	err = json.NewDecoder(os.Stdin).Decode(&spec)
	return spec, err
}

// workAs works as if that was what the launcher had said.
func workAs(spec map[string]any) error {
	text, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	return launch.Work(context.Background(), registry(), io.MultiReader(bytes.NewReader(text), os.Stdin), say)
}
