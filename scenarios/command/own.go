package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"
	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/catalog"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// A command line need not have the protocols of the catalogue. What is about some of these is then left out, and examples are about the first
// protocol that there is.

// checkProtocols says what is wrong with what lines can name: a mistake of whoever has written that.
func (a *app) checkProtocols() error {
	var wrong complaints
	if words := strings.Fields(string(a.name)); len(words) != 1 || words[0] != string(a.name) {
		wrong = append(wrong, fmt.Sprintf("the command is called %q, want one word", a.name))
	}
	var input *line.InputError
	if errors.As(a.registry.Validate(), &input) {
		wrong = append(wrong, input.Problems...)
	}
	if wrong == nil {
		return nil
	}
	return wrong
}

// ofCatalogue are the commands that are about protocols of the catalogue, as far as lines can name these.
func (a *app) ofCatalogue() (all []*cobra.Command) {
	if catalog.Has(a.registry, "broadcast") {
		all = append(all, a.tableCommand())
	}
	if catalog.Has(a.registry, "gossip") {
		all = append(all, a.tuneCommand())
	}
	if catalog.Has(a.registry, "calibration") {
		all = append(all, a.calibrateCommand())
	}
	if catalog.Has(a.registry) {
		all = append(all, a.paperCommand())
	}
	return all
}

// placeholder stands for the first protocol.
const placeholder = "PROTOCOL"

// ownExamples are those of commands, by their names, where examples about the catalogue would not work. They are good for any protocol that
// runs on a few ranks.
var ownExamples = map[string]string{
	"": `  mangrove list
  mangrove promises PROTOCOL
  mangrove run PROTOCOL P=8
  mangrove explore PROTOCOL P=4 'faults<=1'
  mangrove view PROTOCOL P=8 faults=crash:1@t3
  mangrove launch -n 4 PROTOCOL`,
	"run": `  mangrove run PROTOCOL P=8
  mangrove run PROTOCOL P=8 L=5 o=2 seed=7 'faults=crash:~1'
  mangrove run PROTOCOL P=8 faults=crash:1@t3 --trace events.ndjson
  mpirun -n 4 mangrove run PROTOCOL P=65536   # which share the ranks`,
	"replay": `  mangrove replay 'PROTOCOL P=8 seed=7 faults=crash:~1' --json`,
	"demo": `  mangrove demo
  mangrove demo PROTOCOL P=8 seed=5 'faults=crash:~1'`,
	"explore": `  mangrove explore PROTOCOL P=4 'faults<=1'
  mangrove explore PROTOCOL P=4 'faults<=1' 'delays<=1' --roots
  mpirun -n 4 mangrove explore PROTOCOL P=5 'faults<=2'   # share the runs`,
	"fuzz": `  mangrove fuzz PROTOCOL P=8 --runs 2000 --max-faults 2
  mangrove fuzz PROTOCOL P=8 --time 10s
  mpirun -n 4 mangrove fuzz PROTOCOL P=64 --time 1m   # which share the runs`,
	"shrink":   `  mangrove shrink 'PROTOCOL P=8 faults=crash:1@t3'`,
	"promises": "  mangrove promises PROTOCOL\n  mangrove promises PROTOCOL P=8 --json",
	"view": `  mangrove view PROTOCOL P=8 faults=crash:1@t3
  mangrove launch -n 8 PROTOCOL --trace run.jsonl && mangrove view run.jsonl`,
	"launch": `  mangrove launch -n 8 PROTOCOL faults=crash:3@t12
  mangrove launch -n 4 PROTOCOL P=16
  mangrove launch -n 8 PROTOCOL --runs 50 --compare
  mangrove launch -n 8 PROTOCOL --hosts a,b --listen 10.0.0.1:0`,
	"join": `  mangrove join --make-key job.key
  mangrove join --peers a:7000,b:7000 --process 0 --key job.key PROTOCOL
  mangrove join --peers a:7000,b:7000 --process 1 --key job.key PROTOCOL
  mpirun -n 16 mangrove join PROTOCOL
  mpirun --enable-recovery -n 16 mangrove join PROTOCOL faults=crash:3@t12`,
}

// aboutOwn replaces what the help says about protocols of the catalogue, unless lines can name these.
func (a *app) aboutOwn(root *cobra.Command) {
	if catalog.Has(a.registry) {
		return
	}
	root.Long = a.ownHelp()
	for _, cmd := range append(root.Commands(), root) {
		name := cmd.Name()
		if cmd == root {
			name = ""
		}
		if example, ok := ownExamples[name]; ok {
			cmd.Example = a.aboutFirst(example)
		} else if name == "compare" {
			cmd.Example = a.comparing()
		}
	}
}

// aboutFirst is a text with the first protocol in the place of any.
func (a *app) aboutFirst(text string) string {
	return strings.ReplaceAll(text, placeholder, a.registry[0].Name)
}

// example is a line of the catalogue, or of the first protocol if lines cannot name the other one.
func (a *app) example(ours, own string) string {
	if name, _, _ := strings.Cut(ours, " "); catalog.Has(a.registry, name) {
		return ours
	}
	return a.aboutFirst(own)
}

// ownHelp says which protocols there are, and what all help says.
func (a *app) ownHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Runs protocols on Mangrove, an emulated machine of up to millions of ranks, on\nvirtual LogP time and with failures on schedule:\n\n")
	width := len(slices.MaxFunc(a.registry.Names(), func(x, y string) int { return len(x) - len(y) }))
	for _, p := range a.registry {
		printHanging(&b, fmt.Sprintf("  %-*s ", width, p.Name), strings.Repeat(" ", width+4), p.Summary)
	}
	_, rest, _ := strings.Cut(longHelp, "\n\n")
	return b.String() + "\n" + rest
}

// comparing is an example with two protocols, or two values of a key; "" if there are neither.
func (a *app) comparing() string {
	lines := a.registry.Names()
	for _, key := range a.registry[0].Keys {
		if len(lines) > 1 || key.Tries == nil {
			continue
		}
		run, err := a.registry.ParseLine(lines[0])
		if err != nil {
			continue
		}
		if values := key.Tries(run.Settings()); len(values) > 1 {
			first, second := lines[0]+" "+key.Name+"="+values[0], lines[0]+" "+key.Name+"="+values[1]
			lines = []string{first, second}
		}
	}
	if len(lines) < 2 {
		return ""
	}
	return "  mangrove compare " + shellescape.QuoteCommand(lines[:2]) + " --with 'P=8 faults=crash:~1'"
}
