package view_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/check/guarantee"
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

// A verdict marks the operations that it is about. The page shows them as bars: at once if it is broken, as this one is.
func ExampleWrite_marks() {
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 2, Latency: 2, Overhead: 1}, Disk: clock.Disk{Write: 1, Sync: 5}, Trace: emu.TraceEvents})
	if err != nil {
		panic(err)
	}
	register := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.Send(0, mailbox.Message{A: 1})
			p.Recv(mailbox.Any)
			return
		}
		_, m := p.Recv(mailbox.Any)
		p.Storage().Write("x", fmt.Sprint(m.A))
		p.Storage().Sync() // on the page: a bar with a thick end
		p.Send(1, mailbox.Message{})
	}}
	report, err := machine.Run(context.Background(), register, emu.Options{})
	if err != nil {
		panic(err)
	}
	verdict := guarantee.Verdict{Name: "linearizable", Value: guarantee.Broken, Evidence: "x is read as 0 after 1 was written", Marks: []guarantee.Mark{
		{Rank: 1, From: 0, To: 14, Text: "put x=1"},
		{Rank: 1, From: 15, To: clock.Forever, Text: "get x → 0", Guilty: true}, // never ended
	}}
	var page strings.Builder // usually a file
	err = view.Write(&page, view.Run{
		Run:        traceevent.Run{Report: report, Uncoloured: true},
		Ranks:      view.DefaultRange(len(report.Ranks)),
		Guarantees: []guarantee.Verdict{verdict},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(page.String(), `"texts":["put x=1","get x → 0"]`))
	fmt.Println(strings.Contains(page.String(), `"kinds":["write","sync"],"names":["x",""]`))
	// Output:
	// true
	// true
}
