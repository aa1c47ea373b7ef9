package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"text/tabwriter"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
	"github.com/mangrove-emu/mangrove/report"
)

// machine is the one that we do not have yet. A tick may be a microsecond.
var machine = clock.LogP{Ranks: 4096, Latency: 2, Overhead: 1}

func main() {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "tree\tcorrection\tticks\tmessages\tmissed")
	for _, t := range trees() {
		for _, c := range []correction.Correction{correction.None{}, &correction.Opportunistic{Messages: 4}, correction.Checked{}} {
			rep, err := run(t, c)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Fprintf(table, "%v\t%v\t%d\t%d\t%d\n", t, c, rep.Colouring, rep.Messages, len(rep.Unreached))
		}
	}
	table.Flush()
}

func trees() []tree.Tree {
	binomial, err := tree.NewBinomial(machine.Ranks, tree.Interleaved)
	if err != nil {
		log.Fatal(err)
	}
	optimal, err := tree.NewOptimal(machine, tree.Interleaved)
	if err != nil {
		log.Fatal(err)
	}
	return []tree.Tree{binomial, optimal}
}

// run broadcasts once, with one rank of a hundred down from the beginning: the same ones each time, as the seed is.
func run(t tree.Tree, c correction.Correction) (*report.Report, error) {
	b, err := broadcast.New(machine, broadcast.Options{Tree: t, Correction: c})
	if err != nil {
		return nil, err
	}
	emulator, err := emu.New(emu.Config{LogP: machine})
	if err != nil {
		return nil, err
	}
	down, err := faults.MustParse("crash:1%").Expand(machine.Ranks, 1, t.Root())
	if err != nil {
		return nil, err
	}
	return emulator.Run(context.Background(), b.Program(mailbox.Message{}), emu.Options{Faults: down})
}
