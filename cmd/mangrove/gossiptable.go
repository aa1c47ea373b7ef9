package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios"
)

const gossipTableHead = `4,096 ranks, L=2, o=1, mean of %s of each row

                         latency                   messages
algorithm   T down  paper   ours LogP ports   paper    ours LogP ports  missed
`

const gossipTableFoot = `
down        ranks that have failed before
ours        ranks receive many messages at once, as the paper assumes
LogP ports  ranks receive one message at a time
latency     gos, ccg, fcg: the last rank is done; ocg, big: the last message is
            received; bfb: the root knows that all have the message
missed      share of live ranks that are not reached (ours)
`

// gossipTable prints the table row by row, as it is made.
func (a *app) gossipTable(ctx context.Context, f paperFlags) error {
	if f.json {
		rows, err := scenarios.GossipTable(ctx, f.runs, f.seed, func(scenarios.GossipRow) {})
		if err != nil {
			return err
		}
		return printJSON(a.stdout, rows)
	}
	fmt.Fprintf(a.stdout, gossipTableHead, count(f.runs, "run"))
	_, err := scenarios.GossipTable(ctx, f.runs, f.seed, func(r scenarios.GossipRow) {
		fmt.Fprintf(a.stdout, "%-9s %3s %4d %6.0f %6.1f %10.1f %7.0f %7.0f %10.0f %7.1g\n", r.Algorithm, gossipEnd(r), r.Failures,
			r.PaperLatency, r.Latency(r.Many), r.Latency(r.One), r.PaperWork, r.Many.Messages, r.One.Messages, r.Many.Unreached)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(a.stdout, gossipTableFoot)
	return err
}

// gossipEnd is the T of a row, if it has one.
func gossipEnd(r scenarios.GossipRow) string {
	for word := range strings.FieldsSeq(r.Line) {
		if end, ok := strings.CutPrefix(word, "T="); ok {
			return end
		}
	}
	return "-"
}
