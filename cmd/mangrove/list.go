package main

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios"
)

func (a *app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Show protocols with their keys, defaults and valid values",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := printRegistry(a.stdout, a.registry); err != nil {
				return failure{err}
			}
			return nil
		},
	}
}

// printRegistry prints all that a line may say.
func printRegistry(w io.Writer, g scenarios.Registry) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "mangrove run PROTOCOL KEY=VALUE...\n")
	for _, p := range g {
		fmt.Fprintf(b, "\n%s: %s\n", p.Name, p.Summary)
		printKeys(b, p.Keys)
	}
	fmt.Fprintf(b, "\nkeys of every protocol\n")
	printKeys(b, scenarios.CommonKeys())
	fmt.Fprint(b, faultsHelp)
	return b.Flush()
}

func printKeys(w io.Writer, keys []scenarios.Key) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  KEY\tDEFAULT\tVALUES\tMEANING")
	for _, k := range keys {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", k.Name, k.Default, k.Values, k.Help)
	}
	t.Flush() // to a bufio.Writer, which keeps the error
}

const faultsHelp = `
faults is a list of KIND:RANKS@POINT with commas between them
  KIND    crash, hang, or slow with a factor after the ranks (slow:3x4)
  RANKS   3, ~5 for five random ranks, 1% for each rank with this probability;
          roots are never drawn
  POINT   t12, before-send2, send2 (in the middle of it), after-send2, recv1,
          step:NAME or step:NAME#2; t0 if left out
`
