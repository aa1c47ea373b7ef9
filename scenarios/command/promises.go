package command

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios"
)

const promisesHelp = `Show what a line promises, and so what its runs are judged by; without words,
what every protocol promises with its usual keys. Failures of the line do not
matter: which of them a promise is about is what it says itself.`

func (a *app) promisesCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "promises [WORD...]",
		Short: "Show what a line promises, and under which premises",
		Long:  promisesHelp,
		Example: `  mangrove promises broadcast
  mangrove promises broadcast correction=failure-proof f=2
  mangrove promises reduce f=3 --json`,
		RunE: func(_ *cobra.Command, words []string) error { return a.promises(words, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, a line for each protocol")
	return cmd
}

// promises shows those of a line, or of all protocols if there are no words.
func (a *app) promises(words []string, asJSON bool) error {
	lines := a.registry.Names()
	if len(words) > 0 {
		lines = []string{strings.Join(words, " ")}
	}
	b := bufio.NewWriter(a.stdout)
	for _, line := range lines {
		run, err := a.parse([]string{line}, a.name.exploreAdvice)
		if err != nil {
			return err
		}
		if err := show(b, promisesOf(run), asJSON); err != nil {
			return err
		}
	}
	if !asJSON {
		fmt.Fprint(b, promisesLegend)
	}
	return b.Flush()
}

// promisesOfLine is what a line promises.
type promisesOfLine struct {
	Line     string       `json:"line"`
	Promises []promiseRow `json:"promises"`
}

// promiseRow is a promise in words.
type promiseRow struct {
	Name     string   `json:"name"`
	Premises []string `json:"premises"`
	Stands   []string `json:"stands"` // [] if it stands all that the premises allow
	Safety   bool     `json:"safety"`
	Events   bool     `json:"events"` // it is judged only where these are recorded
}

func promisesOf(run *scenarios.Run) promisesOfLine {
	said := promisesOfLine{Line: run.String()}
	for _, p := range run.Promises() {
		premises, stands := p.Terms()
		said.Promises = append(said.Promises, promiseRow{p.Name(), append([]string{}, premises...), append([]string{}, stands...), p.IsSafety(), p.NeedsEvents() && !run.RecordsEvents()})
	}
	return said
}

// print prints a block for each promise.
func (p promisesOfLine) print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n", p.Line)
	for _, promise := range p.Promises {
		promise.print(w)
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (p promiseRow) print(w io.Writer) {
	printWrapped(w, "  ", p.Name+p.remarks())
	if len(p.Premises) == 0 {
		fmt.Fprintln(w, "      always")
	}
	printPremises(w, "      if    ", p.Premises)
	printPremises(w, "      stands", p.Stands)
}

// remarks are what else there is to know of a promise, in brackets.
func (p promiseRow) remarks() string {
	var all []string
	if p.Safety {
		all = append(all, "safety")
	}
	if p.Events {
		all = append(all, "needs events")
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// printPremises prints each on a line of its own. The first has the title before it.
func printPremises(w io.Writer, title string, premises []string) {
	indent := strings.Repeat(" ", len(title))
	for _, premise := range premises {
		printHanging(w, title, indent+" ", premise)
		title = indent
	}
}

const promisesLegend = `if            what the promise presupposes; in other runs nothing is claimed
stands        what the algorithm claims to stand, if that is less; runs beyond
              it are judged all the same; what is broken says that it is beyond
safety        a protocol that does nothing keeps it, too; if more is promised, a
              run in which only this was judged counts as not judged
needs events  judged where they are recorded: run --trace, demo, view, and fuzz
              targets
`
