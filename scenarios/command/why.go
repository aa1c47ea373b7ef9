package command

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mangrove-emu/mangrove/check/cause"
	"github.com/mangrove-emu/mangrove/check/search"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/scenarios"
)

// whyFlag says whether what is broken is explained.
type whyFlag struct {
	on   bool
	flag *pflag.Flag
}

// mostUnasked is up to how many ranks broken runs are explained though nobody has asked for it.
const mostUnasked = 1024

func (w *whyFlag) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.on, "why", false, fmt.Sprintf("explain what is broken, also beyond P=%d\nand in JSON", mostUnasked))
	w.flag = cmd.Flags().Lookup("why")
}

// asked reports whether explanations were asked for.
func (w *whyFlag) asked() bool { return w.flag != nil && w.flag.Changed && w.on }

// wanted reports whether a line is explained: because that was asked for, or because people read it and it costs little.
func (w *whyFlag) wanted(run *scenarios.Run, json bool) bool {
	if w.flag == nil || w.flag.Changed {
		return w.asked()
	}
	return !json && run.Settings().Machine().Ranks <= mostUnasked
}

// worth drops an explanation that nobody asked for and that says nothing.
func (w *whyFlag) worth(why *cause.Explanation) *cause.Explanation {
	if why != nil && !w.asked() && len(why.Because) == 0 && len(why.Without) == 0 {
		return nil
	}
	return why
}

// mostExplained is how many violations of a search are explained.
const mostExplained = 3

// explain adds to violations why they are.
func (f *searchFlags) explain(ctx context.Context, run *scenarios.Run, all []scenarios.Violation) error {
	if !f.why.wanted(run, f.json) || ctx.Err() != nil {
		return nil
	}
	err := run.ExplainAll(ctx, all, mostExplained)
	for i := range all {
		all[i].Why = f.why.worth(all[i].Why)
	}
	if ctx.Err() != nil {
		return nil // what was found is worth more than why
	}
	return err
}

// whyLine explains a line that was made smaller.
func (a *app) whyLine(ctx context.Context, small scenarios.Shrunk) (*cause.Explanation, error) {
	run, err := a.registry.ParseLine(small.Line)
	if err != nil {
		return nil, err
	}
	return run.Why(ctx, small.Broken[0].Name, emu.TraceHash)
}

// whyNot explains, in lines below the error, why a program did not end; "" of other errors.
func (a *app) whyNot(ctx context.Context, run *scenarios.Run, err error) string {
	if _, program := search.Blame(err); !program || a.silent() {
		return ""
	}
	why, err := run.Why(ctx, search.Ran, emu.TraceHash)
	if err != nil {
		return ""
	}
	return "\n" + strings.Join(why.Lines(), "\n")
}

// printWhy prints an explanation.
func printWhy(w io.Writer, why *cause.Explanation) {
	for _, line := range why.Lines() {
		fmt.Fprintln(w, line)
	}
}
