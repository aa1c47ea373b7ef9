package command

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/report/timeline"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// demoLine is drawn if no other line is given, and there are broadcasts. Rank 1 is dead from the start, rank 2 dies
// in the middle of a send; correction reaches whom they should have reached.
const demoLine = "broadcast P=16 seed=1 faults=crash:1,crash:2@send2"

func (a *app) demoCommand() *cobra.Command {
	line := a.example(demoLine, placeholder+" P=8")
	return &cobra.Command{
		Use:   "demo [WORD...]",
		Short: "Draw a small run, one row a rank, one column a tick",
		Long: fmt.Sprintf(`Draw a run in the terminal: ranks from top to bottom, time from left to right.
Without words it draws

  %s

Any line will do with P up to %d that takes less than %d ticks. There is colour
on a terminal, unless NO_COLOR is set.`, line, timeline.MaxRanks, timeline.MaxTicks),
		Example: `  mangrove demo
  mangrove demo broadcast P=32 seed=5 'faults=crash:~6'`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				words = strings.Fields(line)
			}
			return a.demo(cmd.Context(), words)
		},
	}
}

// demo runs a line and draws it.
func (a *app) demo(ctx context.Context, words []string) error {
	run, err := a.parse(words, a.name.exploreAdvice)
	if err != nil {
		return err
	}
	if ranks := run.Config().Ranks; ranks > timeline.MaxRanks {
		return fmt.Errorf("a drawing has room for %d ranks, the line asks for P=%d", timeline.MaxRanks, ranks)
	}
	outcome, err := run.Execute(ctx, scenarios.Options{Trace: emu.TraceEvents})
	if err != nil {
		return a.explain(ctx, run, err, runFlags{})
	}
	b := bufio.NewWriter(a.stdout)
	fmt.Fprintf(b, "%s\n\n", outcome.Line)
	if err := timeline.Draw(b, timelineOf(outcome, nil), wantsColour(a.stdout)); err != nil {
		return err
	}
	fmt.Fprintln(b)
	printResults(b, outcome, "", a.name.replay(outcome.Line))
	if err := b.Flush(); err != nil {
		return err
	}
	return verdict(outcome.Verdict())
}

// wantsColour reports whether the output is a terminal whose user has not declined colour
// (no-color.org).
func wantsColour(w io.Writer) bool {
	if o, ok := w.(output); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
