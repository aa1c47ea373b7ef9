package command

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/internal/text"
	"github.com/mangrove-emu/mangrove/scenarios/campaign"
)

func (a *app) summaryCommand() *cobra.Command {
	var json bool
	percentile := campaign.UsualPercentile
	cmd := &cobra.Command{
		Use:     "summary FILE",
		Short:   "Summarize the results of a campaign",
		Long:    "Print what the runs of each point of a campaign have in common: means with their\n95 % confidence, 99th percentiles, and how often guarantees held, with Wilson's\n95 % interval. FILE need not be complete.",
		Example: "  mangrove summary checked.ndjson",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			if !(percentile > 0 && percentile <= 100) {
				return fmt.Errorf("--percentile %v, want more than 0 and up to 100", percentile)
			}
			return a.summary(args[0], percentile, json)
		},
	}
	cmd.Flags().Float64Var(&percentile, "percentile", campaign.UsualPercentile, "show what `p` % of the runs do not exceed")
	cmd.Flags().BoolVar(&json, "json", false, "print JSON")
	return cmd
}

func (a *app) summary(file string, percentile float64, json bool) error {
	c, all, err := campaign.Summarize(a.registry, file)
	if err != nil {
		return err
	}
	table := c.Table(all)
	table.Percentile = percentile
	if json {
		return printJSON(a.stdout, table.JSON())
	}
	return a.printTable(table, a.brokenLines(all, c.LineOf))
}

// printTable prints a table, the lines of broken runs, and how many runs were judged.
func (a *app) printTable(t campaign.Table, broken string) error {
	judged := t.Judged()
	b := bufio.NewWriter(a.stdout)
	fmt.Fprint(b, t.Text(), broken, "\n")
	printJudged(b, judged)
	printWarning(b, judged)
	return b.Flush()
}

// mostBroken is how many lines of broken runs are shown.
const mostBroken = 5

// brokenLines shows, for points with runs that broke a guarantee, the line of the first of these.
func (a *app) brokenLines(all []campaign.Summary, lineOf func(point, run int) string) string {
	var lines strings.Builder
	shown, broken := 0, 0
	for i := range all {
		s := &all[i]
		if s.Held.Hits == s.Held.Runs {
			continue
		}
		if broken++; shown == mostBroken {
			continue
		}
		if shown++; shown == 1 {
			lines.WriteString("\nthe first run of each row in which a guarantee was broken:\n")
		}
		fmt.Fprintf(&lines, "  %s\n", a.name.run(lineOf(i, s.Broken)))
	}
	if broken > shown {
		fmt.Fprintf(&lines, "  and in %s\n", text.Count(broken-shown, "more row"))
	}
	return lines.String()
}
