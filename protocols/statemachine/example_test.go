package statemachine_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/protocols/statemachine"
)

// largest is a library: it knows the largest number that it has heard of, and tells its neighbour when that changes.
type largest struct {
	number, neighbour int
	changed           bool
}

func (l *largest) Step(_ int, m mailbox.Message) {
	if int(m.A) > l.number {
		l.number, l.changed = int(m.A), true
	}
}

func (l *largest) Ready() (statemachine.Ready, bool) {
	tell := statemachine.Letter{To: l.neighbour, Message: mailbox.Message{A: int64(l.number)}}
	return statemachine.Ready{Send: []statemachine.Letter{tell}}, l.changed
}

func (l *largest) Advance() { l.changed = false }
func (l *largest) Tick()    {}

// Five ranks around a ring have a number each. It ends when nobody has anything to tell any more.
func Example() {
	machines := make([]largest, 5)
	program := protocols.Program{Main: func(p protocols.Proc) {
		m := &machines[p.Rank()]
		*m = largest{number: 10 * (p.Rank() * 3 % 5), neighbour: (p.Rank() + 1) % 5, changed: true}
		statemachine.Run(p, m, statemachine.Options{})
	}}
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 5, Latency: 2, Overhead: 1}})
	if err != nil {
		panic(err)
	}
	report, err := machine.Run(context.Background(), program, emu.Options{})
	if err != nil {
		panic(err)
	}
	for rank := range machines {
		fmt.Print(machines[rank].number, " ")
	}
	fmt.Println("after", report.Messages, "messages")
	// Output:
	// 40 40 40 40 40 after 11 messages
}
