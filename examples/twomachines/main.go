package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/faults"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/transport/tcp"
	"github.com/mangrove-emu/mangrove/transport/wire"
)

var (
	machine  = clock.LogP{Ranks: 6, Latency: 2, Overhead: 1}
	schedule = faults.MustParse("crash:3@send1")
)

// ring passes a token on, from rank 0 to the last.
var ring = protocols.Program{Main: func(p protocols.Proc) {
	if p.Rank() > 0 {
		p.Recv(mailbox.From(p.Rank() - 1))
	}
	if p.Rank() < p.Size()-1 {
		p.Send(p.Rank()+1, mailbox.Message{})
	}
}}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	emulated, err := onTheEmulator(ctx)
	if err != nil {
		log.Fatal(err)
	}
	real, err := overConnections(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("emulated:")
	show(emulated)
	fmt.Println("over connections:")
	show(real)
}

func onTheEmulator(ctx context.Context) (*report.Report, error) {
	emulator, err := emu.New(emu.Config{LogP: machine})
	if err != nil {
		return nil, err
	}
	return emulator.Run(ctx, ring, emu.Options{Faults: schedule})
}

// overConnections has three processes, two ranks each. Here they are goroutines that talk TCP with each other; `mangrove launch`
// starts real ones, and kills them.
func overConnections(ctx context.Context) (*report.Report, error) {
	job := tcp.Job{Job: wire.NewJob(), LogP: machine, Processes: 3, Tick: time.Millisecond, Faults: schedule}
	result, err := tcp.RunLocal(ctx, job, tcp.Detection{}, ring)
	if err != nil {
		return nil, err
	}
	return result.Report, nil
}

// show prints what does not depend on the clock.
func show(rep *report.Report) {
	fmt.Println(rep.Messages, "messages")
	for _, failure := range rep.Failed {
		fmt.Println("rank", failure.Rank, "failed")
	}
	for _, deadlock := range rep.Deadlocks {
		fmt.Println("rank", deadlock.Rank, "waits for ever")
	}
}
