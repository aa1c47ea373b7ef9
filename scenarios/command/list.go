package command

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mangrove-emu/mangrove/scenarios/line"
)

func (a *app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Show protocols with their keys, defaults and valid values",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.printRegistry(a.stdout) },
	}
}

// printRegistry prints all that a line may say.
func (a *app) printRegistry(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s run PROTOCOL KEY=VALUE...\nKeys are shown with their defaults, the valid values below.\n", a.name)
	for _, p := range a.registry {
		fmt.Fprintln(b)
		printHanging(b, p.Name+":", "    ", p.Summary)
		printKeys(b, p.OwnKeys())
	}
	fmt.Fprintf(b, "\nkeys of every protocol\n")
	printKeys(b, line.CommonKeys())
	fmt.Fprint(b, networkHelp, faultsHelp)
	return b.Flush()
}

// printKeys prints each key with its default and its meaning, and the valid values below.
func printKeys(w io.Writer, keys []line.Key) {
	for _, k := range keys {
		printHanging(w, fmt.Sprintf("  %-24s", k.Name+"="+k.Default), strings.Repeat(" ", 27), k.Help+otherName(k))
		printWrapped(w, "      ", k.Valid())
	}
}

// otherName says by which other name a key goes.
func otherName(k line.Key) string {
	if k.Alias == "" {
		return ""
	}
	return "; also " + k.Alias + "="
}

const networkHelp = `
network is one of
  uniform       L between any two ranks
  torus:8x8x16  L for each hop, the shorter way round; torus:8x8x16:zyx lays out
                ranks with z changing fastest, otherwise x does
  mesh:4x4x4    the same without links from one end to the other
  fattree:16x3  16 ranks below a switch, 3 levels; L for each hop up and down
  switch:2      L, and 2 ticks in a switch that serves one message at a time
With nodes=16 ranks share nodes, in blocks as even as possible. Inside of them
latency is Lin and overhead oin, and network is what is between nodes.
jitter makes each message late by a draw, noise takes the processors of ranks
away; both depend on the seed. Protocols reckon with the longest latency, which
has jitter in it if that has a bound, and refuse networks where that is not
enough.

With tick=100ns, what is in ticks may be a time, such as L=4.6us, and reports
have times beside ticks.
`

const faultsHelp = `
faults is a list of KIND:RANKS@POINT with commas between them
  KIND    crash, hang, or slow with a factor after the ranks (slow:3x4)
  RANKS   3, ~5 for five random ranks, 1% for each rank with this probability;
          roots are never drawn
  POINT   t12, before-send2, send2 (in the middle of it), after-send2, recv1,
          step:NAME or step:NAME#2; t0 if left out; of storage before-write2,
          write2, after-write2, before-sync2, sync2, after-sync2
of a rank's changes that no sync has made safe crash:3@sync2 loses all,
crash:3@sync2:kept1+3 all but the first and the third, :kept* none
rejoin:3@t90 brings a rank back, in protocols that let it; cut:0-3|4-7@t10 parts
ranks from others, cut:4|*@t10 from all others, and cut:0>3@t10 one way only;
mend:0-3|4-7@t90 mends what was cut
late:0@send1+20 has what rank 0 sends first arrive 20 ticks later, lose:0@send3
loses a message, twice:0@send3+5 lets it arrive once more, 5 ticks after the
first time; late:0>3@t10..t50+20 is about all messages of a link that leave in
that time, late:~5@send1+20 about those of five random ranks
`
