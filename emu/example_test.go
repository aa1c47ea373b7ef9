package emu_test

import (
	"context"
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
)

// Rank 0 asks everybody for an answer and waits until t=30. Rank 2 hangs, rank 3 is slow.
func Example() {
	const question, answer mailbox.Kind = 1, 2
	survey := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() != 0 {
			p.Recv(mailbox.OfKind(question))
			p.Send(0, mailbox.Message{Kind: answer})
			return
		}
		for other := 1; other < p.Size(); other++ {
			p.Send(other, mailbox.Message{Kind: question})
		}
		for {
			from, _, ok := p.RecvUntil(mailbox.OfKind(answer), 30)
			if !ok {
				fmt.Println("gave up at", p.Now())
				return
			}
			fmt.Println("answer from", from, "at", p.Now())
		}
	}}
	machine, err := emu.New(emu.Config{LogP: clock.LogP{Ranks: 4, Latency: 2, Overhead: 1}})
	if err != nil {
		panic(err)
	}
	schedule := faults.MustParse("hang:2@recv1,slow:3x5@t0")
	rep, err := machine.Run(context.Background(), survey, emu.Options{Faults: schedule})
	if err != nil {
		panic(err)
	}
	fmt.Println(rep.Messages, "messages,", rep.Failed)
	// Output:
	// answer from 1 at 8
	// answer from 3 at 18
	// gave up at 30
	// 5 messages, [rank 2 hung at t=5]
}

// One machine serves many runs. Whatever else changes, a run is a pure function of its
// program, schedule and seed.
func ExampleMachine_RunInto() {
	gossip := protocols.Program{Main: func(p protocols.Proc) {
		for range 3 {
			p.Send(p.Rand().IntN(p.Size()), mailbox.Message{})
		}
	}}
	machine, err := emu.New(emu.Config{
		LogP:  clock.LogP{Ranks: 1000, Latency: 2, Overhead: 1},
		Trace: emu.TraceHash,
	})
	if err != nil {
		panic(err)
	}
	var rep report.Report
	hashes := make(map[report.Hash]int)
	for i := range 10 {
		opts := emu.Options{Seed: uint64(i % 2)}
		if err := machine.RunInto(context.Background(), gossip, opts, &rep); err != nil {
			panic(err)
		}
		hashes[rep.Hash]++
	}
	fmt.Println("10 runs with 2 seeds give", len(hashes), "different traces")
	// Output: 10 runs with 2 seeds give 2 different traces
}

// A trace says what happened when. Messages take 2o+L = 4 ticks.
func ExampleReport_events() {
	hello := protocols.Program{Initiators: []int{0}, Main: func(p protocols.Proc) {
		if p.Rank() == 0 {
			p.Send(1, mailbox.Message{A: 42})
			return
		}
		p.Recv(mailbox.Any)
		p.Step("greeted")
	}}
	machine, err := emu.New(emu.Config{
		LogP:  clock.LogP{Ranks: 2, Latency: 2, Overhead: 1},
		Trace: emu.TraceEvents,
	})
	if err != nil {
		panic(err)
	}
	rep, err := machine.Run(context.Background(), hello, emu.Options{})
	if err != nil {
		panic(err)
	}
	for _, e := range rep.Events {
		fmt.Println(e)
	}
	// Output:
	// t=0 rank 0 send to 1 kind=0 epoch=0 a=42
	// t=1 rank 0 exit
	// t=4 rank 1 receive from 0 kind=0 epoch=0 a=42
	// t=4 rank 1 take from 0 kind=0 epoch=0 a=42
	// t=4 rank 1 step greeted
	// t=4 rank 1 exit
}

// A machine with a failure detector: rank 0 waits for an answer, or for the news that there will
// be none.
func Example_failureDetector() {
	machine, err := emu.New(emu.Config{
		LogP:      clock.LogP{Ranks: 2, Latency: 2, Overhead: 1},
		Detection: emu.Detection{Delay: 10},
	})
	if err != nil {
		panic(err)
	}
	const answer = protocols.Failed - 1 // beside the detector's notices, so that a Want takes both
	ask := protocols.Program{Main: func(p protocols.Proc) {
		if p.Rank() == 1 {
			p.WaitUntil(20)
			p.Send(0, mailbox.Message{Kind: answer})
			return
		}
		detector, err := protocols.DetectorOf(p)
		if err != nil {
			panic(err)
		}
		detector.Watch(1)
		from, msg := p.Recv(mailbox.OfKinds(answer, protocols.Failed))
		fmt.Printf("t=%d: rank %d has failed: %t\n", p.Now(), from, msg.Kind == protocols.Failed)
	}}
	for _, schedule := range []string{"none", "crash:1@t5"} {
		if _, err := machine.Run(context.Background(), ask, emu.Options{Faults: faults.MustParse(schedule)}); err != nil {
			panic(err)
		}
	}
	// Output:
	// t=24: rank 1 has failed: false
	// t=15: rank 1 has failed: true
}

// A rank that comes back finds what it has made safe. Rank 0 counts how often it was started; it crashes in its first sync, which the
// disk had finished with, and in its second one, which it had not.
func Example_storage() {
	machine, err := emu.New(emu.Config{
		LogP: clock.LogP{Ranks: 1, Latency: 2, Overhead: 1},
		Disk: clock.Disk{Write: 1, Sync: 20},
	})
	if err != nil {
		panic(err)
	}
	count := protocols.Program{Main: func(p protocols.Proc) {
		disk, err := protocols.StorageOf(p)
		if err != nil {
			panic(err)
		}
		before, _ := disk.Read("starts")
		fmt.Printf("t=%d, life %d: found %q\n", p.Now(), p.Life(), before)
		disk.Write("starts", before+"I")
		disk.Sync()
		p.WaitUntil(p.Now() + 10)
	}}
	schedule := faults.MustParse("crash:0@sync1:kept*,rejoin:0@t50,hang:0@t60,rejoin:0@t100")
	if _, err := machine.Run(context.Background(), count, emu.Options{Faults: schedule}); err != nil {
		panic(err)
	}
	// Output:
	// t=0, life 0: found ""
	// t=50, life 1: found "I"
	// t=100, life 2: found "I"
}
