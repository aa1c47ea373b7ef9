package view_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report/traceevent"
	"github.com/mangrove-emu/mangrove/report/view"
)

// A token goes around a ring of four ranks, and is written as a page.
func ExampleWrite() {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}, Trace: emu.TraceEvents})
	if err != nil {
		panic(err)
	}
	token := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() > 0 {
			p.Recv(mailbox.From(p.Rank() - 1))
		}
		p.Send((p.Rank()+1)%p.Size(), mailbox.Message{})
	}}
	report, err := machine.Run(context.Background(), token, emu.Options{Seed: 7})
	if err != nil {
		panic(err)
	}
	var page strings.Builder // usually a file
	err = view.Write(&page, view.Run{
		Run:   traceevent.Run{Report: report, Line: "a token on a ring"},
		Ranks: view.DefaultRange(len(report.Ranks)),
	})
	if err != nil {
		panic(err)
	}
	title, _, _ := strings.Cut(page.String()[strings.Index(page.String(), "<title>"):], "\n")
	fmt.Println(title)
	// Output: <title>mangrove: a token on a ring</title>
}
