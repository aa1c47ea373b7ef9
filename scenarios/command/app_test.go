package command

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"

	"github.com/mangrove-emu/mangrove/internal/thorough"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

func TestGoldenOutput(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		args   []string
	}{
		{"help", 0, nil},
		{"help-run", 0, []string{"help", "run"}},
		{"help-explore", 0, []string{"help", "explore"}},
		{"help-fuzz", 0, []string{"help", "fuzz"}},
		{"help-shrink", 0, []string{"help", "shrink"}},
		{"help-campaign", 0, []string{"help", "campaign"}},
		{"help-agent", 0, []string{"help", "agent"}},
		{"help-calibrate", 0, []string{"help", "calibrate"}},
		{"help-demo", 0, []string{"help", "demo"}},
		{"help-join", 0, []string{"help", "join"}},
		{"help-launch", 0, []string{"help", "launch"}},
		{"help-list", 0, []string{"help", "list"}},
		{"help-paper", 0, []string{"help", "paper"}},
		{"help-replay", 0, []string{"help", "replay"}},
		{"help-tune", 0, []string{"help", "tune"}},
		{"help-view", 0, []string{"help", "view"}},
		{"help-compare", 0, []string{"help", "compare"}},
		{"compare", 0, []string{"compare", "broadcast", "gossip", "broadcast correction=none", "--with", "P=64 faults=crash:4%", "--runs", "20"}},
		{"help-summary", 0, []string{"help", "summary"}},
		{"help-merge", 0, []string{"help", "merge"}},
		{"list", 0, []string{"list"}},
		{"help-promises", 0, []string{"help", "promises"}},
		{"promises", 0, strings.Fields("promises allreduce f=2 correction=checked faults=crash:3")},
		{"tune", 0, strings.Fields("tune gossip N=64 L=2 o=1")},
		{"tune-too-few", 0, strings.Fields("tune gossip N=4 failures=2 delta=1e-9")},
		{"tune-json", 0, strings.Fields("tune gossip N=64 failures=1 psi=0.5 variant=ccg --json")},
		{"explore", 0, strings.Fields("explore membership P=4 --before 60 --max-faults 1")},
		{"explore-json", 0, strings.Fields("explore broadcast P=4 faults<=1 --roots --json")},
		{"fuzz", 0, strings.Fields("fuzz collective op=reduce P=5 --runs 40 --max-faults 2")},
		{"fuzz-json", 0, strings.Fields("fuzz broadcast P=6 --runs 40 --json")},
		{"shrink", 1, strings.Fields("shrink broadcast P=9 correction=none seed=5 faults=crash:1@recv1,hang:4@t3,slow:2x3 --all --keep tree")},
		{"shrink-json", 1, strings.Fields("shrink broadcast P=9 correction=none faults=crash:1@recv1,hang:4@t3 --json")},
		{"shrink-nothing", 0, strings.Fields("shrink broadcast P=9 faults=crash:1@recv1")},
		{"run-json", 0, strings.Fields("run broadcast P=9 faults=crash:1@recv1,hang:4@t3 --json")},
		{"run-65536", 0, []string{"run", "broadcast", "P=65536"}},
		{"run-torus", 0, []string{"run", "broadcast", "ranks=512", "network=torus:8x8x8", "latency=100ns", "overhead=1.2us", "tick=100ns", "repeat=3"}},
		{"run-membership", 0, strings.Fields("run membership a=2 P=1024 network=torus:8x8x16 latency=4.6us tick=100ns compute=2us faults=crash:5@t0")},
		{"run-partitions", 0, strings.Fields("run membership P=8 until=20000 faults=cut:0-2|3-7@t10,crash:5@t20,rejoin:5@t900")},
		{"run-collective", 0, strings.Fields("run collective op=reduce P=9 backup=all faults=crash:0@step:iteration#3,crash:4@step:repair --cost")},
		{"run-samplesort", 0, strings.Fields("run samplesort P=8 n=10000 faults=crash:0@step:broadcast --cost")},
		{"run-tpch-q3", 0, strings.Fields("run tpch-q3 P=8 sf=0.01 faults=crash:3@step:alltoallv --cost")},
		{"run-plain", 3, strings.Fields("run tpch-q3 P=8 sf=0.001 strategy=plain faults=crash:3@step:alltoallv")},
		{"run-unnoticed", 3, strings.Fields("run collective op=gather P=4 faults=hang:2@step:exchange")},
		{"run-failures", 0, []string{"run", "broadcast", "P=64", "seed=7", "faults=crash:~12,hang:5@recv1,slow:3x2,crash:9@send99"}},
		{"run-unjudged", 3, []string{"run", "broadcast", "P=16", "faults=crash:0@send1,crash:~1"}},
		{"run-broken", 1, []string{"run", "broadcast", "P=16", "correction=none", "faults=crash:1@recv1,crash:~1"}},
		{"replay", 0, []string{"replay", "broadcast P=4"}},
		{"replay", 0, []string{"replay", "mangrove run broadcast P=4"}},
		{"demo", 0, []string{"demo"}},
		{"demo-slow-and-hung", 0, []string{"demo", "broadcast", "P=12", "o=2", "faults=slow:3x3@recv1,hang:1@t9,slow:2x2@t5"}},
		{"demo-broken", 1, []string{"demo", "broadcast P=5 correction=none faults=crash:1@recv1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mangroveWith(t.Context(), catalog.All(), c.args...)
			assert.Equal(t, c.status, got.status)
			assert.Empty(t, got.stderr)
			golden(t, c.name, got.stdout)
			if strings.HasPrefix(c.name, "help") {
				line80(t, got.stdout)
			}
		})
	}
}

func TestExamplesInTheHelpWork(t *testing.T) {
	t.Chdir(t.TempDir())
	example := regexp.MustCompile(`(?m)^  mangrove (.*)$`)
	word := regexp.MustCompile(`'[^']*'|\S+`)
	count := 0
	topics := [][]string{nil, {"help", "run"}, {"help", "replay"}, {"help", "demo"}, {"help", "explore"}, {"help", "fuzz"}, {"help", "shrink"}, {"help", "promises"}}
	if testing.Short() {
		topics = topics[1:4] // a sample: searches take long with the race detector, and so do large machines
	}
	for _, topic := range topics {
		_, text, _ := strings.Cut(mangrove(topic...).stdout, "Examples:")
		text, _, _ = strings.Cut(text, "Flags:")
		for _, match := range example.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(match[1], "fuzz") && !strings.Contains(match[1], "--runs") && !thorough.All() {
				continue // takes as long as it is given
			}
			var args []string
			for _, w := range word.FindAllString(match[1], -1) {
				args = append(args, strings.Trim(w, "'"))
			}
			got := mangrove(args...)
			assert.Equal(t, 0, got.status, "%s: %s", match[0], got.stderr)
			count++
		}
	}
	assert.GreaterOrEqual(t, count, 2*len(topics)-2)
}

// brokenPipe cannot be written to.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"run", "broadcast", "P=2"}, {"run", "broadcast", "P=2", "--json"},
		{"run", "broadcast", "P=2", "--trace", "-"}, {"run", "panics", "P=1", "--json"}, {"demo"}, {"list"}} {
		var stderr strings.Builder
		a := app{name: ours, registry: testProtocols(), stdout: brokenPipe{}, stderr: &stderr}
		assert.Equal(t, 1, a.run(t.Context(), args), "%v", args)
		assert.Contains(t, stderr.String(), "broken pipe")
	}
}

// The help of all commands fits into 80 columns, that of hidden ones, too, which is not listed.
func TestHelpOfEveryCommandHas80Columns(t *testing.T) {
	var names []string
	var visit func(path []string, cmd *cobra.Command)
	visit = func(path []string, cmd *cobra.Command) {
		got := mangrove(append([]string{"help"}, path...)...)
		assert.Equal(t, 0, got.status, path)
		line80(t, got.stdout)
		for _, c := range cmd.Commands() {
			names = append(names, c.Name())
			visit(append(slices.Clone(path), c.Name()), c)
		}
	}
	a := app{name: ours, registry: testProtocols()}
	visit(nil, a.rootCommand())
	assert.Subset(t, names, []string{"run", "launch", "worker", "agent"})
	assert.NotContains(t, mangrove("help").stdout, "worker")
	assert.Contains(t, mangrove("help").stdout, "\n  launch ")
}
