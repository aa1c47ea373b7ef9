package command

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/protocols/gossip/tuning"
	"github.com/mangrove-emu/mangrove/scenarios/catalog"
)

var tuneHelp = `Say for how long ranks should gossip, and correct, on a machine, and what to
expect of it: the tuning of the paper Corrected Gossip. Keys are shown with
their defaults, the valid values below.

` + tuneKeys()

func tuneKeys() string {
	var b strings.Builder
	printKeys(&b, catalog.TuneKeys())
	return strings.TrimSuffix(b.String(), "\n")
}

func (a *app) tuneCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "tune gossip [KEY=VALUE...]",
		Short: "Find the best times to gossip and to correct",
		Long:  tuneHelp,
		Example: `  mangrove tune gossip N=4096 L=2 o=1 failures=3 delta=1e-6
  mangrove tune gossip N=1048576 variant=ccg
  mangrove tune gossip N=1024 L=1 psi=0.5 runs=1000000`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] != "gossip" {
				return fmt.Errorf("tune %q: want tune gossip, which is all that can be tuned", strings.Join(args, " "))
			}
			tuned, err := catalog.TuneGossip(args[1:])
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.stdout, tuned)
			}
			return a.printTuning(tuned)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// printTuning prints a row for each variant, and lines to try.
func (a *app) printTuning(t catalog.GossipTuning) error {
	b := bufio.NewWriter(a.stdout)
	fmt.Fprintf(b, "N=%d ranks, %d of them down, L=%d, o=%d, g=%d, delta=%.3g; fcg: f=%d\n\n",
		t.Machine.Ranks, t.Failures, t.Machine.Latency, t.Machine.Overhead, t.Machine.Gap, t.Delta, t.OnlineFailures)
	fmt.Fprintf(b, "%-8s %5s %5s %6s %8s %10s %12s %9s\n", "variant", "T", "C", "each", "longest", "latency", "messages", "risk")
	for _, p := range t.Plans {
		fmt.Fprintf(b, "%-8v %5d %5s %6s %8s %10d %12s %9.2g\n",
			p.Variant, p.GossipEnd, correctionTime(p), each(p), longest(p), p.Latency, messages(p), max(0, p.Risk))
	}
	fmt.Fprint(b, `
T        ticks until which ranks gossip
C        ticks that correction takes after T+L+o; for ccg and fcg at most, but for
         the risk
each     correction messages of a rank that gossip has reached
longest  gap that correction is planned for, in ranks; for fcg a span of 2f+3
         ranks that gossip has reached
latency  predicted end, in ticks: T+L+o+C; in a report, quiescence for ocg, exit
         for the others
risk     chance of a longer gap or span; for gos, ranks that are missed on average

The equations assume that ranks receive many messages at once, as these lines do:
`)
	for _, p := range t.Plans {
		fmt.Fprintln(b, a.name.run(t.LineOf(p)))
	}
	for _, note := range t.Notes {
		fmt.Fprintln(b, "no plan for", note)
	}
	return b.Flush()
}

func correctionTime(p tuning.Plan) string {
	if p.Variant == tuning.Plain {
		return "-"
	}
	return fmt.Sprint(p.CorrectionTime)
}

func each(p tuning.Plan) string {
	switch p.Variant {
	case tuning.Opportunistic:
		return fmt.Sprint(p.Corrections)
	case tuning.Checked:
		return fmt.Sprintf("%.1f", p.CorrectionMessages/p.Nodes)
	}
	return "-"
}

func longest(p tuning.Plan) string {
	switch p.Variant {
	case tuning.Plain:
		return "-"
	case tuning.FailureProof:
		return fmt.Sprint(p.SpanBound)
	}
	return fmt.Sprint(p.GapBound)
}

// messages is the predicted work; for failure-proof correction there is no prediction.
func messages(p tuning.Plan) string {
	total, ok := p.Messages()
	if !ok {
		return fmt.Sprintf("%.0f + ?", total)
	}
	return fmt.Sprintf("%.0f", total)
}
