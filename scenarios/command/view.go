package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/report/view"
	"github.com/mangrove-emu/mangrove/scenarios"
)

func (a *app) viewCommand() *cobra.Command {
	f := viewFlags{out: "run.html"}
	cmd := &cobra.Command{
		Use:   "view WORD... | FILE",
		Short: "Run a line and write a page to look at it in a browser",
		Long: `Run a line and write what happened as one HTML file: a timeline to zoom into,
the tree and the ring of ranks as time is played, the failures and the report.
The file needs no network and nothing besides it.

In the place of a line, a file that 'mangrove launch --trace' has written shows
that run, and the emulated one of the same line beside it; with --out FILE.json
as a timeline for Perfetto.

Of more than 4096 ranks the first 256 are drawn, or those of --ranks; curves and
report are about all.`,
		Example: `  mangrove view broadcast P=64 tree=lame faults=crash:3@send2,hang:9@t12
  mangrove view gossip P=8192 --ranks 1000..1255 --out gossip.html
  mangrove launch -n 8 broadcast --trace run.jsonl && mangrove view run.jsonl`,
		RunE: func(cmd *cobra.Command, words []string) error { return a.view(cmd.Context(), words, f) },
	}
	cmd.Flags().Var(named(&f.out, "the name of a file, or -"), "out", "write to `file`; - is standard output")
	cmd.Flags().Var(named(&f.ranks, "two ranks, such as 0..63"), "ranks", "draw the ranks from a to b, given as `a..b`")
	return cmd
}

type viewFlags struct{ out, ranks string }

// view runs a line and writes its page.
func (a *app) view(ctx context.Context, words []string, f viewFlags) error {
	if path, ok := a.recording(words); ok {
		return a.viewRecorded(ctx, path, f)
	}
	run, err := a.parse(words, a.name.exploreAdvice)
	if err != nil {
		return err
	}
	ranks := run.Config().Ranks
	shown, err := f.shown(ranks)
	if err != nil {
		return err
	}
	if err := run.Need(scenarios.Options{Trace: emu.TraceEvents}).Check(a.memory(), nil); err != nil {
		return err
	}
	page, err := a.openOut("page", f.out)
	if err != nil {
		return err
	}
	defer page.abandon()
	outcome, err := run.Execute(ctx, scenarios.Options{Trace: emu.TraceEvents})
	if err != nil {
		return a.explain(ctx, run, err, runFlags{})
	}
	if err := page.finish(writePage(page, outcome, run, shown)); err != nil {
		return failure{err}
	}
	if err := printPage(a.beside(f.out), page.path, outcome); err != nil {
		return err
	}
	return verdict(outcome.Verdict())
}

// shown are the ranks to draw.
func (f *viewFlags) shown(ranks int) (view.Range, error) {
	if f.ranks == "" {
		return view.DefaultRange(ranks), nil
	}
	shown, err := view.ParseRange(f.ranks, ranks)
	if err != nil {
		return shown, fmt.Errorf("--ranks %w", err)
	}
	return shown, nil
}

func writePage(w io.Writer, outcome *scenarios.Outcome, run *scenarios.Run, shown view.Range) error {
	b := bufio.NewWriterSize(w, 1<<16)
	err := view.Write(b, view.Run{
		Run:        timelineOf(outcome, run.Experiment().Program.KindName),
		Ranks:      shown,
		Rows:       pageRows(outcome),
		Guarantees: outcome.Guarantees,
	})
	return errors.Join(err, b.Flush())
}

// pageRows are the results that a page lists.
func pageRows(outcome *scenarios.Outcome) (rows []view.Row) {
	rep := outcome.Report
	add := func(name, format string, args ...any) {
		rows = append(rows, view.Row{Name: name, Text: fmt.Sprintf(format, args...)})
	}
	listTotals(outcome, add)
	if outcome.Processes > 0 {
		listProcesses(outcome, add)
	}
	if n := len(rep.Unreached); n > 0 && !outcome.Reduction {
		add("unreached", "%s", guarantee.ListRanks(rep.Unreached))
	}
	for _, f := range outcome.Details {
		add(f.Name, "%s", f.Text)
	}
	for _, note := range outcome.Notes {
		add("note", "%s", note)
	}
	return rows
}

// printPage says where the page is, and what was broken.
func printPage(w io.Writer, path string, outcome *scenarios.Outcome) error {
	b := bufio.NewWriter(w)
	broken := guarantee.OnlyBroken(outcome.Guarantees)
	said := "what was promised held"
	switch why := outcome.Unjudged(); {
	case len(broken) > 0:
		said = fmt.Sprintf("%d of %d guarantees broken", len(broken), len(outcome.Guarantees))
	case why != "":
		said = why
	}
	fmt.Fprintf(b, "%s: %d ranks, %d messages, %s\n", path, len(outcome.Report.Ranks), outcome.Report.Messages, said)
	for _, g := range broken {
		printVerdict(b, g)
	}
	return b.Flush()
}
