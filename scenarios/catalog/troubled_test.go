package catalog_test

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// Lines that end with an error are lines of this protocol, in which ranks send to each other until one of them has had enough.
var troubled = scenarios.Protocol{
	Name: "troubled",
	Keys: line.Keys{
		troubles.Key("trouble", "what goes wrong").Trying(line.Words("panic", "panic", "late", "late", "endless", "wait", "wait", "loop")), // loops take long
		line.NumberKey("from", 0, 0, clock.MaxRanks-1, "first rank that is in trouble").Trying(func(s line.Settings) []string { return line.Numbers(0, s.Int("P")-1)(s) }),
		line.NumberKey("count", 1, 1, clock.MaxRanks, "ranks that are").Trying(line.Words("1", "2", "40")),
		line.TimeKey("at", 0, 0, 1<<20, "when").Trying(line.Words("0", "1", "17", "60")),
		line.TimeKey("apart", 0, 0, 1<<20, "ticks from one rank to the one before").Trying(line.Words("0", "0", "1", "7")),
	},
	Rejoins: true,
	Steps:   []string{"sent"},
	Build:   buildTroubled,
}

// troubles are what goes wrong.
var troubles = line.Choices[func(protocols.Proc)]{
	{"panic", func(p protocols.Proc) { panic(fmt.Errorf("rank %d:\nhas had enough", p.Rank())) }},
	{"loop", func(p protocols.Proc) {
		for {
			p.Poll(mailbox.Any)
		}
	}},
	{"endless", func(p protocols.Proc) {
		for {
			p.WaitUntil(p.Now() + clock.Forever/4)
		}
	}},
	{"late", func(p protocols.Proc) { // says so when the run is over
		defer func() { panic("too late") }()
		p.Recv(mailbox.OfKind(9))
	}},
	{"wait", func(p protocols.Proc) { p.Recv(mailbox.From((p.Rank() + 1) % p.Size()).OfKind(9)) }},
}

func buildTroubled(s line.Settings) (scenarios.Experiment, error) {
	trouble, from, count := troubles.Of(s, "trouble"), s.Int("from"), s.Int("count")
	at, apart := s.Ticks("at"), s.Ticks("apart")
	return scenarios.Experiment{Timing: scenarios.Timing{Assumes: scenarios.NoLatency}, Program: protocols.Program{Main: func(p protocols.Proc) {
		begins := at
		if n := p.Rank() - from; n >= 0 && n < count {
			begins += apart.Times(count - 1 - n) // the last one first
		}
		for p.Now() < begins {
			p.Send((p.Rank()*3+1)%p.Size(), mailbox.Message{Kind: 1, A: int64(p.Now())})
			p.Step("sent")
			p.RecvUntil(mailbox.Any, min(begins, p.Now()+3))
		}
		if p.Rank() >= from && p.Rank() < from+count {
			trouble(p)
		}
	}}}, nil
}
