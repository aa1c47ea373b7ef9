package main

import (
	"context"
	"fmt"
	"log"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols/broadcast"
	"github.com/mangrove-emu/mangrove/protocols/correction"
	"github.com/mangrove-emu/mangrove/protocols/tree"
)

// racks is a tree of two levels: rank 0 sends to the first rank of every rack, and those to the rest of their rack.
// A rack is a range of ranks, so if its first rank fails the ring has a gap as long as a rack.
type racks struct{ racks, size int }

func (r racks) Size() int      { return r.racks * r.size }
func (r racks) Root() int      { return 0 }
func (r racks) String() string { return fmt.Sprintf("%d racks of %d", r.racks, r.size) }

func (r racks) Parent(rank int) (int, bool) {
	switch {
	case rank == 0:
		return 0, false
	case rank%r.size == 0:
		return 0, true
	}
	return rank - rank%r.size, true
}

// Child is the first rank of another rack, as long as there are any, then a rank of one's own.
func (r racks) Child(rank, i int) (int, bool) {
	switch {
	case rank%r.size != 0:
		return 0, false
	case rank == 0 && i < r.racks-1:
		return (i + 1) * r.size, true
	case rank == 0:
		i -= r.racks - 1
	}
	return rank + 1 + i, 1+i < r.size
}

func main() {
	shape := racks{racks: 8, size: 8}
	binomial, err := tree.NewBinomial(shape.Size(), tree.Interleaved)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range []tree.Tree{shape, binomial} {
		for _, schedule := range []string{"none", "crash:8@t0"} {
			if err := run(t, schedule); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// run broadcasts down the tree with checked correction, and says when the last rank had the message.
func run(t tree.Tree, schedule string) error {
	machine := clock.LogP{Ranks: t.Size(), Latency: 2, Overhead: 1}
	b, err := broadcast.New(machine, broadcast.Options{Tree: t, Correction: correction.Checked{}})
	if err != nil {
		return err
	}
	emulator, err := emu.New(emu.Config{LogP: machine})
	if err != nil {
		return err
	}
	rep, err := emulator.Run(context.Background(), b.Program(mailbox.Message{}), emu.Options{Faults: faults.MustParse(schedule)})
	if err != nil {
		return err
	}
	fmt.Printf("%v, faults %v: all reached at t=%d, the tree alone takes %d\n", t, rep.Faults, rep.Colouring, tree.Latency(t, machine))
	return nil
}
