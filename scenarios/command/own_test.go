package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// asOwn makes this test program the command line of somebody with protocols of their own.
const asOwn = "MANGROVE_TEST_OWN"

// ownProtocols are what somebody else has written: one that notes what ranks have found out, and one that keeps it in stable storage.
func ownProtocols() []scenarios.Protocol {
	return []scenarios.Protocol{
		{
			Name:    "chain",
			Summary: "each rank adds one to what it got and passes it on",
			Keys:    line.Keys{line.NumberKey("reach", 1, 1, 4, "how many ranks further it is passed")},
			Build: func(s line.Settings) (scenarios.Experiment, error) {
				got := scenarios.NewResults[int](s.Int("P"))
				return scenarios.Experiment{
					Program: protocols.Program{Main: func(p protocols.Proc) { passOn(p, s.Int("reach"), got) }},
					Roots:   []int{0},
					Promises: []guarantee.Guarantee{
						guarantee.Promise{Guarantee: noFurtherThan(got), Premises: []guarantee.Premise{guarantee.RootsLive}},
						guarantee.When(guarantee.NobodyFails, guarantee.NoDeadlock{}),
					},
					State: got,
				}, nil
			},
		},
		{
			Name:    "ledger",
			Summary: "ranks write down that they have been there",
			Stores:  true, Rejoins: true,
			Build: func(line.Settings) (scenarios.Experiment, error) {
				return scenarios.Experiment{Program: protocols.Program{Main: func(p protocols.Proc) {
					disk := p.Storage()
					if _, there := disk.Read("been"); there {
						p.Step("again")
					}
					disk.Write("been", "here")
					disk.Sync()
				}}}, nil
			},
		},
	}
}

// passOn is what ranks of the chain do.
func passOn(p protocols.Proc, reach int, got *scenarios.Results[int]) {
	value := int64(0)
	if p.Rank() > 0 {
		_, m := p.Recv(mailbox.Any)
		value = m.A + 1
	}
	got.Set(p.Rank(), int(value))
	for to := p.Rank() + 1; to <= min(p.Rank()+reach, p.Size()-1); to++ {
		p.Send(to, mailbox.Message{A: value})
	}
}

func noFurtherThan(got *scenarios.Results[int]) guarantee.Guarantee {
	return guarantee.Func("rank r is at most r steps away", false, func(guarantee.Run) (bool, string) {
		seen := 0
		for rank, steps := range got.All() {
			if steps > rank {
				return false, "one is further"
			}
			seen++
		}
		return seen > 0, "they are"
	})
}

// own runs a command line of somebody with protocols of their own.
func own(args ...string) result { return ownWith(ownProtocols(), args...) }

func ownWith(registry scenarios.Registry, args ...string) result {
	var stdout, stderr strings.Builder
	a := app{name: "rings", registry: registry, stdout: &stdout, stderr: &stderr}
	status := a.run(context.Background(), args)
	return result{stdout.String(), stderr.String(), status}
}

// ownProcess runs it as a process of its own, which starts others if it is told to.
func ownProcess(t *testing.T, args ...string) result {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asOwn+"=1")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if exited := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exited) {
		require.NoError(t, err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// What an own command says of itself names neither us nor protocols that it does not have.
func TestAnOwnCommandHasItsOwnHelp(t *testing.T) {
	root := (&app{name: "rings", registry: ownProtocols()}).rootCommand()
	texts := own().stdout + strings.TrimPrefix(own("list").stdout, "rings run PROTOCOL ")
	for _, cmd := range root.Commands() {
		texts += own("help", cmd.Name()).stdout
	}
	line80(t, texts)
	golden(t, "own-help", own().stdout)
	texts = strings.Replace(texts, "that mangrove calibrate has written", "", 1) // which is another program
	unwanted := []string{ours, placeholder, "correction=", "--cost"}
	for _, name := range catalog.All().Names() {
		unwanted = append(unwanted, " "+name+" P=", "run "+name, "-n 8 "+name)
	}
	for text := range strings.Lines(texts) {
		for _, word := range unwanted {
			require.NotContains(t, text, word)
		}
	}
	for _, missing := range []string{"paper", "table", "tune", "calibrate"} {
		r := own(missing)
		require.Equal(t, statusInput, r.status)
		require.Contains(t, r.stderr, `rings: unknown command "`+missing+`" for "rings"`)
		require.NotContains(t, texts, "\n  "+missing+" ")
	}
	require.Contains(t, texts, "  rings compare chain ledger --with", "two lines to compare")
	alone := ownWith(ownProtocols()[:1], "help", "compare").stdout
	require.Contains(t, alone, "  rings compare 'chain reach=1' 'chain reach=2' --with")
	require.NotContains(t, ownWith(ownProtocols()[1:], "help", "compare").stdout, "Examples:")
}

// Who adds protocols to ours has all commands, by another name.
func TestAnOwnCommandMayHaveTheCatalogue(t *testing.T) {
	all := append(catalog.All(), ownProtocols()...)
	help := ownWith(all).stdout
	for _, name := range []string{"paper", "table", "tune", "calibrate"} {
		require.Contains(t, help, "\n  "+name+" ")
	}
	require.Contains(t, help, "\n  rings run broadcast P=65536\n")
	require.Zero(t, ownWith(all, "run", "chain", "P=3").status)
	some := scenarios.Registry{ownProtocols()[0], all[0]}
	require.Contains(t, ownWith(some).stdout, "\n  table ")
	require.NotContains(t, ownWith(some).stdout, "\n  paper ")
	require.Contains(t, ownWith(some, "help", "run").stdout, "rings run chain P=8\n")
}

// The examples in its help work.
func TestExamplesOfAnOwnCommandWork(t *testing.T) {
	t.Chdir(t.TempDir())
	words := regexp.MustCompile(`'[^']*'|\S+`)
	tried := 0
	for _, topic := range []string{"", "run", "replay", "demo", "explore", "fuzz", "shrink", "promises", "view", "compare"} {
		_, text, _ := strings.Cut(own("help", topic).stdout, "Examples:")
		if topic == "" {
			_, text, _ = strings.Cut(own().stdout, "Examples:")
		}
		for _, match := range regexp.MustCompile(`(?m)^  rings (.*)$`).FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], "launch") || strings.Contains(match[1], "--time") {
				continue
			}
			var args []string
			for _, w := range words.FindAllString(match[1], -1) {
				args = append(args, strings.Trim(w, "'"))
			}
			r := own(args...)
			require.NotContains(t, []int{statusInput, statusInterrupted}, r.status, "%s: %s", match[0], r.stderr)
			tried++
		}
	}
	require.Equal(t, 19, tried)
}

// What it prints for others to type has its name.
func TestAnOwnCommandTellsItsNameEverywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("bold.toml", []byte("name = \"bold\"\nline = \"chain P=4\"\nruns = 3\n[[sweep]]\nkey = \"reach\"\nvalues = [\"1\", \"2\"]\n"), 0o644))
	for _, c := range []struct {
		args, want string
		status     int
	}{
		{"run nobody", `rings: unknown protocol "nobody", want chain or ledger` + "\nrings: 'rings list' shows all protocols, keys and values\n", 2},
		{"run chain faults<=2", "rings: \"faults<=2\": a line has its faults, such as faults=crash:3@send2; 'rings explore' runs all", 2},
		{"shrink chain faults<=2", "such as one that 'rings explore' has found", 2},
		{"replay rings run chain P=3", "", 0},
		{"join native=same chain", "want mpirun -n N rings join", 2},
		{"campaign bold.toml", "", 0},
		{"summary bold.ndjson", "", 0},
		{"--version", "", 0},
		{"demo", "", 0},
	} {
		r := own(strings.Fields(c.args)...)
		require.Equal(t, c.status, r.status, "%s: %s", c.args, r.stderr)
		require.Contains(t, r.stderr, c.want, c.args)
		require.NotContains(t, r.stdout+r.stderr, ours+" ", c.args)
	}
	require.Contains(t, own("demo").stdout, "chain P=8\n")
	mine := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v0.1.0"}, Deps: []*debug.Module{{Path: "github.com/mangrove-emu/mangrove", Version: "v1.2.3"}}}
	require.Equal(t, "v0.1.0 go1.26, mangrove v1.2.3", versionOf(mine))
	require.Equal(t, []string{"chain", "P=3"}, (&app{name: "rings"}).withoutCommand([]string{"rings run chain P=3"}))
}

// What was wrong when it was written is said before anything is run.
func TestAnOwnCommandSaysWhatIsWrongWithItsProtocols(t *testing.T) {
	r := ownWith(scenarios.Registry{{Name: "half"}, {Name: "two words", Build: ownProtocols()[0].Build}}, "list")
	require.Equal(t, statusInput, r.status)
	require.Empty(t, r.stdout)
	require.Equal(t, "rings: protocol \"half\": no Build, want a function that makes the experiment of a line\n"+
		"rings: protocol \"two words\": a Name with other characters, want letters, digits, - and _, a letter first\n", r.stderr)
	r = ownWith(nil, "help")
	require.Equal(t, statusInput, r.status)
	require.Equal(t, "rings: no protocols, want one or more\n", r.stderr)
	for _, name := range []commandName{"my rings", " rings", "rings\n", ""} {
		var stderr strings.Builder
		a := app{name: name, registry: ownProtocols(), stderr: &stderr}
		require.Equal(t, statusInput, a.run(t.Context(), nil))
		require.Contains(t, stderr.String(), fmt.Sprintf("the command is called %q, want one word", name))
	}
}

// The name of a command may have ours in it, which is put into texts once.
func TestAnOwnCommandMayBeCalledAlmostLikeOurs(t *testing.T) {
	for _, line := range []string{"--help", "run --help", "help list", "run --nothing"} {
		var stdout, stderr strings.Builder
		a := app{name: "my-mangrove", registry: ownProtocols(), stdout: &stdout, stderr: &stderr}
		a.run(t.Context(), strings.Fields(line))
		require.Contains(t, stdout.String()+stderr.String(), "my-mangrove", line)
		require.NotContains(t, stdout.String()+stderr.String(), "my-my-mangrove", line)
	}
}

// A process of an own command starts processes of the same command, and what ranks have left there is judged here.
func TestAnOwnCommandLaunchesItself(t *testing.T) {
	r := ownProcess(t, "launch", "-n", "3", "chain", "reach=2", "faults=crash:1@t0")
	require.Zero(t, r.status, r.stdout+r.stderr)
	require.Contains(t, r.stdout, "held         rank r is at most r steps away: they are")
	require.Contains(t, r.stdout, "\nprocesses    3\n")
	r = ownProcess(t, "launch", "-n", "2", "ledger", "faults=crash:1@sync1,rejoin:1@t40")
	require.Zero(t, r.status, r.stdout+r.stderr)
	require.Contains(t, r.stdout, "\nrejoined     1\n")
	shell := filepath.Join(t.TempDir(), "shell")
	require.NoError(t, os.WriteFile(shell, []byte("#!/bin/sh\nshift\necho \"$@\" >&2\n"), 0o755))
	r = ownProcess(t, "launch", "-n", "2", "chain", "--hosts", "a=127.0.0.1", "--listen", "127.0.0.1:0", "--ssh", shell)
	require.NotZero(t, r.status)
	require.Contains(t, r.stderr, "rings agent", "the agent of the same command")
	require.Contains(t, r.stderr, "\nagain: rings launch -n 2 --hosts a=127.0.0.1 ")
}

// Searches fail ranks in their storage, and let them come back.
func TestAnOwnProtocolWithStorageIsExplored(t *testing.T) {
	r := own("explore", "ledger", "P=2", "sync=5", "faults<=2", "--rejoin", "9", "--kinds", "crash")
	require.Zero(t, r.status, r.stdout+r.stderr)
	require.Contains(t, r.stdout, "violations   0\n")
	r = own("run", "ledger", "P=2", "sync=5", "faults=crash:1@after-sync1,rejoin:1@t9", "--trace", "-")
	require.Zero(t, r.status, r.stderr)
	require.Contains(t, r.stdout, `"step":"again"`)
	require.Contains(t, own("run", "chain", "sync=5").stderr, `unknown key "sync"`)
}

// Storage that nobody reads again is hardly tested: whoever explores that is told so.
func TestASearchSaysThatNobodyReadsWhatWasStored(t *testing.T) {
	const note = "note         nobody comes back, so nobody reads what a rank has stored that failed: "
	for args, want := range map[string]string{
		"explore ledger P=2":                                      "'faults<=2' --rejoin 20,50\n",
		"explore ledger P=2 delays<=1":                            "'faults<=2' --rejoin 20,50\n",
		"explore ledger P=2 faults<=2":                            "--rejoin 20,50\n",
		"explore ledger P=2 faults<=2 --cut 0":                    "--rejoin 20,50\n",
		"explore ledger P=2 faults<=2 --rejoin 9":                 "",
		"explore ledger P=2 faults=crash:0,rejoin:0@t9 faults<=1": "",
		"explore ledger P=2 --orders":                             "",
		"explore chain P=2":                                       "",
		"fuzz ledger P=2 --runs 9":                                "--kinds crash,hang,late,rejoin\n",
		"fuzz ledger P=2 --runs 9 --max-faults 1 --kinds crash":   "--kinds crash,rejoin --max-faults 2\n",
		"fuzz ledger P=2 --runs 9 --kinds late":                   "--kinds late,crash,rejoin\n",
		"fuzz ledger P=2 --runs 9 --kinds crash,rejoin":           "",
		"fuzz chain P=2 --runs 9":                                 "",
	} {
		r := own(strings.Fields(args)...)
		require.Empty(t, r.stderr, args)
		if want == "" {
			require.NotContains(t, r.stdout, "nobody comes back", args)
		} else {
			require.Contains(t, r.stdout, note+want, args)
		}
	}
}
